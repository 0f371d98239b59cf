"""Plays games on a CSA server with the client of python-shogi, making random legal moves.

usage: csa_client.py HOST PORT NAME PASSWORD GAMES MOVES SEED

Gives up after MOVES moves of its own. Prints a line for each game: the moves seen, and the
result. Everything that the server sends is checked by python-shogi's own reading and rules.
"""

import random
import sys

import shogi
from shogi import CSA


def read(client):
    """The next line that is no answer to a sign of life."""
    while True:
        line = client.read_line()
        if line != "":
            return line


def game(client, rng, moves):
    match = client.wait_match()
    summary = match["summary"]
    assert summary["sfen"].split()[0] == shogi.Board().sfen().split()[0], summary
    assert int(summary["time"]["Total_Time"]) > 0, summary
    board = shogi.Board(summary["sfen"])
    ours = match["my_color"]
    client.agree()
    own = 0
    while True:
        if board.turn == ours:
            legal = list(board.legal_moves)
            if own >= moves or not legal:
                line = client.command("%TORYO")
                assert line.startswith("%TORYO,T"), line
            else:
                move = rng.choice(legal)
                piece = board.piece_type_at(move.from_square) if move.from_square is not None else None
                kind = move.drop_piece_type or piece
                if move.promotion:
                    kind = shogi.PIECE_PROMOTED[kind]
                line = client.move(kind, ours, move)
                own += 1
        else:
            line = read(client)
        while line is not None and line[0] not in "+-#":
            line = read(client)
        if line[0] == "#":
            why = line
            result = read(client)
            CSA.SERVER_MESSAGE_SYMBOLS.index(why[1:])
            return board.move_number - 1, why, result
        color, usi, seconds, _ = client.parse_server_message(line, board)
        move = shogi.Move.from_usi(usi)
        assert color == board.turn and move in board.legal_moves, line
        assert seconds >= 0
        board.push(move)


def main():
    host, port, name, password, games, moves, seed = sys.argv[1:]
    rng = random.Random(int(seed))
    client = CSA.TCPProtocol(host, int(port))
    assert client.login(name, password)
    client.ping()
    print("ready", flush=True)
    for _ in range(int(games)):
        plies, why, result = game(client, rng, int(moves))
        print(plies, why, result, flush=True)


main()
