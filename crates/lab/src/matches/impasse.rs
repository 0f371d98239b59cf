//! What becomes of a game of shogi in which the kings have entered the other's camp, where
//! they can hardly be mated.

use std::fmt;
use std::str::FromStr;

use senbon_games::shogi::Shogi;
use senbon_games::{Ending, Game, Side, Tactics};

use super::referee::{Verdict, Why};

/// Which rule ends such a game, and whether a player has to ask for it.
///
/// All of them want the king in the enemy camp, ten other pieces of its own there, and no
/// check; they differ in the points of those pieces and of the hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImpasseRule {
    /// A side that declares wins with 28 points (Black) or 27 (White): the rule of the Computer
    /// Shogi Association. Who does not declare plays on.
    #[default]
    Declared,
    /// The same, and the referee declares for players that do not do so themselves.
    Points27,
    /// The 24-point rule of the Japan Shogi Association. The referee gives the win to a side
    /// with 31 points; a side that declares with 24 to 30 gets a draw. When both sides have
    /// entered and both own 24 points, counting all they have, neither can get 31: a draw.
    Points24,
}

/// Points that win by the 24-point rule.
const WIN: u32 = 31;
/// Points that do not lose by it.
const DRAW: u32 = 24;

impl ImpasseRule {
    /// All of them.
    pub const ALL: [ImpasseRule; 3] =
        [ImpasseRule::Declared, ImpasseRule::Points27, ImpasseRule::Points24];

    /// The name that users write.
    pub const fn name(self) -> &'static str {
        match self {
            ImpasseRule::Declared => "declared",
            ImpasseRule::Points27 => "27",
            ImpasseRule::Points24 => "24",
        }
    }

    /// The result, if there is one. The side to move has declared, or has said nothing.
    pub(super) fn judge(self, game: &Shogi, declared: bool) -> Option<Verdict> {
        let side = game.side_to_move();
        let won = Verdict { winner: Some(side), why: Why::Rule(Ending::Declaration) };
        match self {
            ImpasseRule::Declared => (declared && game.can_declare()).then_some(won),
            ImpasseRule::Points27 => game.can_declare().then_some(won),
            ImpasseRule::Points24 => {
                let standing = game.declaration(side);
                if !standing.has_entered() || game.in_check() {
                    return None;
                }
                if standing.points >= WIN {
                    return Some(won);
                }
                let both = game.declaration(!side).has_entered()
                    && [Side::First, Side::Second].iter().all(|&s| game.all_points(s) >= DRAW);
                let drawn = both || declared && standing.points >= DRAW;
                drawn.then_some(Verdict { winner: None, why: Why::Impasse })
            }
        }
    }
}

impl fmt::Display for ImpasseRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ImpasseRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = ImpasseRule::ALL.map(ImpasseRule::name).join(", ");
        let found = ImpasseRule::ALL.into_iter().find(|rule| rule.name() == text);
        found.ok_or_else(|| format!("'{text}' is none of {names}"))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use senbon_core::{Opinion, Place, Score};
    use senbon_games::Notation;

    use super::*;
    use crate::matches::{Adjudication, Answer, MatchGame, Referee, Thought};

    fn at(sfen: &str) -> Shogi {
        Shogi::parse_position(sfen).unwrap()
    }

    /// What each rule says without and with a declaration: `+` a win of the side to move, `=` a
    /// draw, `-` nothing.
    fn results(sfen: &str) -> String {
        let game = at(sfen);
        let sign = |rule: ImpasseRule, declared| match rule.judge(&game, declared) {
            None => '-',
            Some(Verdict { winner: None, why: Why::Impasse }) => '=',
            Some(verdict) => {
                let won = (Some(game.side_to_move()), Why::Rule(Ending::Declaration));
                assert_eq!((verdict.winner, verdict.why), won);
                '+'
            }
        };
        let both = |rule| [sign(rule, false), sign(rule, true)];
        ImpasseRule::ALL.into_iter().flat_map(both).collect()
    }

    #[test]
    fn one_king_has_entered() {
        // King and ten others in the camp, two of them big: 18 points, and the hand.
        let black = |hand: &str| format!("+R+B+P+P+PK3/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b {hand} 1");
        assert_eq!(results(&black("5P")), "------", "23 points are too few for anything");
        assert_eq!(results(&black("6P")), "-----=", "24 are a draw for who asks for it");
        assert_eq!(results(&black("9P")), "-----=", "Black needs 28");
        assert_eq!(results(&black("10P")), "-+++-=");
        assert_eq!(results(&black("R8P")), "-+++++", "31 win by every rule");
        // Not in check, not with nine pieces, not with the king outside.
        assert_eq!(results("+R+B+P+P+PK2r/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b B9P 1"), "------");
        assert_eq!(results("+R+B+P+P+PK3/+P+P+P+P5/9/9/9/9/9/9/4k4 b R9P 1"), "------");
        assert_eq!(results("+R+B+P+P+P4/+P+P+P+P+P4/9/5K3/9/9/9/9/4k4 b R8P 1"), "------");
    }

    /// Both kings have entered, Black with 18 points and White with 20, and the hands.
    fn entered(side: char, hands: &str) -> String {
        format!("+R+BGGGK3/SS+N+NL4/9/9/9/9/9/ss+n+nl4/+r+bg1+l+p+p+pk {side} {hands} 1")
    }

    #[test]
    fn both_kings_have_entered() {
        // 18 + 6 = 24 and 20 + 9 = 29 points.
        assert_eq!(results(&entered('b', "6P9p")), "----==");
        // White may declare by 27 points, and need not wait by 24.
        assert_eq!(results(&entered('w', "6P9p")), "-+++==");
        // With 23 points Black does not get the draw, and White has no 31 yet.
        assert_eq!(results(&entered('b', "5P10p")), "------");
        assert_eq!(results(&entered('w', "5P10p")), "-+++-=");
    }

    #[test]
    fn the_referee_keeps_the_rule() {
        let before = "+R+B+P+P+P4/+P+P+P+P+PK3/9/9/9/9/9/9/4k4 w 10P 1";
        let step = |rule: ImpasseRule| {
            let rules = Adjudication { impasse: rule, ..Adjudication::default() };
            let control = "nodes=1".parse::<crate::matches::Control>().unwrap();
            let opening = Place::new(at(before));
            let mut referee =
                Referee::new(&opening, [control.clone(), control], Duration::ZERO, rules);
            let mv = referee.place().position().parse_move("5i5h").unwrap();
            let opinion = Some(Opinion::new(Score::Centipawns(0), 1, vec![mv]));
            let answer = Answer::Move(mv, None);
            let verdict = referee.judge(&Thought { answer, time: Duration::ZERO, opinion });
            (referee, verdict)
        };
        let (mut referee, verdict) = step(ImpasseRule::Declared);
        assert_eq!(verdict, None, "Black has not said anything yet");
        let silent = Thought { answer: Answer::Nothing, time: Duration::ZERO, opinion: None };
        let verdict = referee.judge(&silent).unwrap();
        assert_eq!(verdict.winner, Some(Side::First));
        let record = referee.record(["a".into(), "b".into()], verdict);
        assert!(Shogi::write(&record).contains("%KACHI"));

        let (_, verdict) = step(ImpasseRule::Points27);
        let why = Why::Rule(Ending::Declaration);
        assert_eq!(verdict, Some(Verdict { winner: Some(Side::First), why }));

        let (mut referee, verdict) = step(ImpasseRule::Points24);
        assert_eq!(verdict, None);
        let verdict = referee.judge(&silent).unwrap();
        assert_eq!((verdict.winner, &verdict.why), (None, &Why::Impasse));
        let record = referee.record(["a".into(), "b".into()], verdict);
        assert!(Shogi::write(&record).contains("%JISHOGI"));
    }

    #[test]
    fn rules_are_known_by_name() {
        for rule in ImpasseRule::ALL {
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
        assert!("25".parse::<ImpasseRule>().unwrap_err().contains("declared, 27, 24"));
    }
}
