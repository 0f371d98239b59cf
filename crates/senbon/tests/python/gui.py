"""A GUI for `senbon uci`, made of python-chess: one check a run.

usage: gui.py CHECK SENBON [ARGUMENT...]

SENBON and the arguments are the command line of the engine; OPPONENT in the environment is
that of the UCI engine to play against. The program ends with status 0 if all went well, and
says what did not otherwise.
"""

import asyncio
import os
import shlex
import sys
import time

import chess
import chess.engine
from chess.engine import Cp, Limit, Mate

# Longest wait for any answer; a loaded machine is slow, a hanging engine is slower.
PATIENCE = 120
# The engine keeps this much of every clock, so that a slow moment of the machine is no loss.
OVERHEAD_MS = 1000
# How often the opponent may die in one game, see `Rival`.
DEATHS = 5
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def start(command):
    return chess.engine.SimpleEngine.popen_uci(command, timeout=PATIENCE)


def expect(truth, what):
    if not truth:
        raise AssertionError(what)


def play(engine, board, limit, **more):
    """One move, legal or else an error of python-chess."""
    result = engine.play(board, limit, info=chess.engine.INFO_ALL, **more)
    expect(result.move in board.legal_moves, f"{result.move} in {board.fen()}")
    return result


def options(engine):
    expect(engine.id["name"].startswith("Senbon"), engine.id)
    for name in ["Workers", "Engine", "Strategy", "Hash", "Threads", "MultiPV", "Ponder",
                 "Move Overhead", "UCI_Chess960"]:
        expect(name in engine.options, f"no option {name}")
    strategies = engine.options["Strategy"].var
    expect({"pipeline", "single"} <= set(strategies), strategies)
    engine.configure({"Workers": 3, "Hash": 2, "Move Overhead": 50})
    play(engine, chess.Board(), Limit(nodes=3000))
    for strategy in strategies:
        engine.configure({"Strategy": strategy})
        play(engine, chess.Board(KIWIPETE), Limit(nodes=3000))


def limits(engine):
    board = chess.Board(KIWIPETE)
    began = time.monotonic()
    info = engine.analyse(board, Limit(time=0.3))
    expect(time.monotonic() - began < PATIENCE / 2, "movetime did not end the search")
    expect(info["depth"] > 0 and info["nodes"] > 0 and info["pv"], info)
    info = engine.analyse(board, Limit(nodes=20000))
    expect("score" in info and info["nodes"] > 1000, info)
    info = engine.analyse(board, Limit(depth=7))
    expect(info["depth"] >= 7, info)
    mate = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")
    info = engine.analyse(mate, Limit(mate=2))
    expect(info["score"].relative == Mate(1), info)
    only = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("e1g1")]
    info = engine.analyse(board, Limit(depth=5), root_moves=only)
    expect(info["pv"][0] in only, info)
    result = play(engine, board, Limit(depth=5), root_moves=only[:1])
    expect(result.move == only[0], result)


def several_lines(engine):
    board = chess.Board(KIWIPETE)
    lines = engine.analyse(board, Limit(nodes=60000), multipv=3)
    expect(len(lines) == 3, lines)
    first = [line["pv"][0] for line in lines]
    expect(len(set(first)) == 3, f"a move twice: {first}")
    scores = [line["score"].relative for line in lines]
    expect(scores == sorted(scores, reverse=True), f"not sorted: {scores}")


def clocks(engine):
    engine.configure({"Move Overhead": OVERHEAD_MS})
    board = chess.Board()
    for white, black in [(3, 3), (2, 9), (0.5, 0.5), (0.01, 5)]:
        limit = Limit(white_clock=white, black_clock=black, white_inc=0.1, black_inc=0)
        board.push(play(engine, board, limit).move)
    board.push(play(engine, board, Limit(white_clock=2, black_clock=2, remaining_moves=1)).move)


def ponder(engine):
    """Ponder hits and misses, as python-chess makes them of the moves that follow."""
    engine.configure({"Move Overhead": 50})
    board = chess.Board()
    hits = 0
    for number in range(6):
        limit = Limit(white_clock=4, black_clock=4, white_inc=0.1, black_inc=0.1)
        result = play(engine, board, limit, ponder=True)
        board.push(result.move)
        expected = result.ponder
        expect(expected is None or expected in board.legal_moves, f"ponder {expected}")
        time.sleep(0.1)
        miss = expected is None or number % 2 == 1
        hits += not miss
        others = [move for move in board.legal_moves if move != expected]
        board.push(others[0] if miss else expected)
    expect(hits > 0, "no move to ponder on in six searches")


def stop(engine):
    for board in [chess.Board(), chess.Board(KIWIPETE)]:
        with engine.analysis(board) as analysis:
            for info in analysis:
                if info.get("pv"):
                    break
            analysis.stop()
            best = analysis.wait()
        expect(best.move in board.legal_moves, best)
        # A search that is ended before it has said anything.
        with engine.analysis(board) as analysis:
            engine.ping()
        play(engine, board, Limit(nodes=1000))


def chess960(engine):
    for number in [0, 518, 959]:
        board = chess.Board.from_chess960_pos(number)
        for _ in range(4):
            board.push(play(engine, board, Limit(nodes=2000), game=number).move)
    castling = chess.Board("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", chess960=True)
    for text in ["e1g1", "e1b1"]:
        move = chess.Move.from_uci(text)
        expect(castling.is_castling(move) and castling.is_legal(move), f"{text} is no castling")
        result = play(engine, castling, Limit(depth=4), root_moves=[move])
        expect(result.move == move, f"{text} became {result.move}")


def ends(engine):
    for over in ["R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "k7/2Q5/8/8/8/8/8/4K3 b - - 0 1"]:
        result = engine.play(chess.Board(over), Limit(depth=4))
        expect(not result.move, f"{result.move} after the end of the game")
    mate = play(engine, chess.Board("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1"), Limit(depth=12))
    expect(mate.info["score"].relative == Mate(2), mate.info)
    mated = play(engine, chess.Board("7k/8/8/8/8/8/R7/1R2K3 b - - 0 1"), Limit(depth=12))
    distance = mated.info["score"].relative.mate()
    expect(distance is not None and distance < 0, mated.info)
    bare = play(engine, chess.Board("8/8/8/4k3/8/8/8/4K3 w - - 0 1"), Limit(depth=6))
    expect(bare.info["score"].relative == Cp(0), bare.info)
    # Ninety-nine moves without progress, and no mate in the hundredth.
    late = chess.Board("7k/8/8/8/8/8/R7/1R2K3 w - - 99 120")
    drawn = play(engine, late, Limit(depth=4))
    expect(drawn.info["score"].relative == Cp(0), drawn.info)
    repeated = chess.Board()
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
        repeated.push_uci(text)
    play(engine, repeated, Limit(depth=4))


def bad_positions(engine):
    """What the rules forbid is refused; the engine lives on."""
    no_kings = chess.Board("8/8/8/8/8/8/PPPPPPPP/8 w - - 0 1")
    in_check = chess.Board("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1")
    for bad in [no_kings, in_check]:
        try:
            engine.play(bad, Limit(depth=2))
        except chess.engine.EngineError:
            pass
        play(engine, chess.Board(), Limit(depth=3))


class Rival:
    """The engine to play against, which is not what is tested here. GNU Chess aborts now and
    then on a loaded machine: it takes no more than a buffer of its own output at a time. One
    that has died is started again, and goes on from the same position with the same clock."""

    def __init__(self, command):
        self.command = command
        self.deaths = 0
        self.engine = None

    def play(self, board, limit, game):
        while True:
            try:
                if self.engine is None:
                    self.engine = start(self.command)
                    if "Skill Level" in self.engine.options:
                        self.engine.configure({"Skill Level": 0})
                return play(self.engine, board, limit, game=game)
            except chess.engine.EngineTerminatedError as error:
                self.deaths += 1
                print(f"the rival died at ply {board.ply()}: {error}", flush=True)
                expect(self.deaths <= DEATHS, f"the rival died {self.deaths} times in one game")
                self.quit()

    def quit(self):
        """Ends the process, if there is one; how it takes that is no matter."""
        engine, self.engine = self.engine, None
        if engine is not None:
            try:
                engine.quit()
            except (chess.engine.EngineError, TimeoutError, asyncio.TimeoutError):
                engine.close()


def game(engine):
    """Both colours against OPPONENT, with clocks; cut short, and never lost on time."""
    engine.configure({"Move Overhead": OVERHEAD_MS})
    rival = Rival(shlex.split(os.environ["OPPONENT"]))
    try:
        for ours in [chess.WHITE, chess.BLACK]:
            rival.deaths = 0
            one_game(engine, rival, ours)
    finally:
        rival.quit()


def one_game(engine, rival, ours):
    board = chess.Board()
    left = {chess.WHITE: 4.0, chess.BLACK: 4.0}
    increment = 0.1
    identity = object()
    while not board.is_game_over(claim_draw=True) and board.ply() < 60:
        limit = Limit(white_clock=left[True], black_clock=left[False],
                      white_inc=increment, black_inc=increment)
        side = board.turn
        began = time.monotonic()
        if side == ours:
            move = play(engine, board, limit, game=identity).move
        else:
            move = rival.play(board, limit, game=identity).move
        left[side] -= time.monotonic() - began
        if side == ours:
            expect(left[side] > 0, f"lost on time at ply {board.ply()}: {left[side]:.2f} s")
        left[side] = max(left[side], 0.05) + increment
        board.push(move)
    print(f"{board.ply()} plies, {board.result(claim_draw=True)}, {left} s left")


CHECKS = [options, limits, several_lines, clocks, ponder, stop, chess960, ends,
          bad_positions, game]


def main():
    checks = {check.__name__: check for check in CHECKS}
    if len(sys.argv) < 3 or sys.argv[1] not in checks:
        sys.exit(f"usage: gui.py {'|'.join(checks)} SENBON [ARGUMENT...]")
    engine = start(sys.argv[2:])
    try:
        checks[sys.argv[1]](engine)
    except BaseException:
        # Without asking it anything: another error would stand where this one is looked for.
        engine.close()
        raise
    engine.quit()


main()
