//! Life, territory and seki against KataGo's cases (`go/rules/katago/area_tests.txt`): boards
//! with the areas that are expected of them.
//!
//! Of the 22 groups of cases in the file,
//! - those called Area, bug-derived and simple test cases, recursive safe: what can be claimed;
//! - IndependentLife: what lives on its own, and on how many areas;
//! - groupTaxScoring, where it says "No group tax": the area as numbers.
//!
//! Not about rules, and left out: "Group tax" spreads the tax over the points of a group as
//! input for a neural network; isNonPassAliveSelfConnection is a feature of moves for the same.

use senbon_games::Side;
use senbon_games::go::life::{Claim, Shares, Stones};
use senbon_games::go::{Point, Rows};

/// A change of a board: column, row, letter.
type Change = (usize, usize, char);

/// Boards that the file leaves out: some cases go on with a board that differs from the last
/// one in these points. The stones are those of KataGo's own test.
const NEXT_BOARDS: [(&str, &[Change]); 4] = [
    ("Area 2", &[(0, 0, '.'), (3, 6, '.')]),
    ("IndependentLife 3,4,5", &[(10, 2, 'o')]),
    ("IndependentLife 3,4,5", &[(10, 1, 'o')]),
    ("IndependentLife 6", &[(6, 1, 'x')]),
];

struct Case {
    name: String,
    width: usize,
    height: usize,
    board: Vec<Vec<char>>,
    /// Blocks of lines between empty ones.
    expected: Vec<Vec<String>>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut in_board = false;
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("== ") {
            let (name, size) = title.rsplit_once(" size ").unwrap();
            let (width, height) = size.split_once('x').unwrap();
            let (width, height) = (width.parse().unwrap(), height.parse().unwrap());
            let (board, expected) = (Vec::new(), vec![Vec::new()]);
            cases.push(Case { name: name.to_owned(), width, height, board, expected });
            continue;
        }
        let Some(case) = cases.last_mut() else { continue };
        match line {
            "-- board" => in_board = true,
            "-- expected" => in_board = false,
            // One board is written with coordinates.
            _ if in_board && line.starts_with("A B") => {}
            _ if in_board => {
                let points = line.chars().filter(|c| !c.is_whitespace() && !c.is_ascii_digit());
                case.board.push(points.collect());
            }
            // Between the expectations of two boards, in one place.
            "-----" => {}
            "" => case.expected.push(Vec::new()),
            _ => case.expected.last_mut().unwrap().push(line.to_owned()),
        }
    }
    for case in &mut cases {
        case.expected.retain(|block| !block.is_empty());
        assert_eq!(case.board.len(), case.height, "{}", case.name);
        assert!(case.board.iter().all(|row| row.len() == case.width), "{}", case.name);
    }
    cases
}

impl Case {
    fn stones(&self) -> Stones {
        let of = |letter: char| -> Rows {
            let points = self.board.iter().enumerate().flat_map(|(row, line)| {
                line.iter().enumerate().map(move |(column, c)| (Point::new(column, row), *c))
            });
            points
                .filter(|(_, c)| c.eq_ignore_ascii_case(&letter))
                .map(|(point, _)| point)
                .collect()
        };
        Stones::new(self.width, self.height, of('x'), of('o'))
    }

    /// The lines of a picture of `shares`.
    fn picture(&self, shares: &Shares) -> Vec<String> {
        let letter = |point| match shares.each_ref().map(|share| share.contains(point)) {
            [true, false] => 'X',
            [false, true] => 'O',
            [false, false] => '.',
            [true, true] => panic!("{}: {point:?} belongs to both", self.name),
        };
        (0..self.height)
            .map(|row| (0..self.width).map(|column| letter(Point::new(column, row))).collect())
            .collect()
    }

    fn change(&mut self, stones: &[Change]) {
        for &(column, row, letter) in stones {
            self.board[row][column] = letter;
        }
    }
}

/// The numbers in a line like `Keep Stones 1 Suicide 0`.
fn flags(line: &str) -> Vec<bool> {
    line.split(' ').filter_map(|word| word.parse::<u8>().ok()).map(|flag| flag == 1).collect()
}

fn check_area(case: &Case, block: &[String]) {
    let claim = match flags(&block[0])[..] {
        [false, false, false, _] => Claim::PassAlive,
        [true, false, false, _] => Claim::SafeTerritory,
        [true, true, false, _] => Claim::Territory,
        [true, true, true, _] => Claim::Stones,
        _ => panic!("{}", block[0]),
    };
    let area = case.stones().area(claim, flags(&block[0])[3]);
    assert_eq!(case.picture(&area), block[1..], "{}: {}", case.name, block[0]);
}

fn check_life(case: &Case, block: &[String]) {
    let [territories, own_stones, suicide] = flags(&block[0])[..] else { panic!("{}", block[0]) };
    let stones = case.stones();
    let area = stones.area(Claim::Stones, suicide);
    let mut shown = stones.independent(&area);
    let groups = shown.map(|share| share.parts().count() as i32);
    let expected = block[1].rsplit(' ').next().unwrap().parse::<i32>().unwrap();
    assert_eq!(groups[1] - groups[0], expected, "{}: {}", case.name, block[0]);
    for side in [Side::First, Side::Second] {
        let area = area[side.index()];
        if territories {
            shown[side.index()] = shown[side.index()] | (area - stones.of(side));
        }
        if own_stones {
            shown[side.index()] = shown[side.index()] | (area & stones.of(side));
        }
    }
    assert_eq!(case.picture(&shown), block[2..], "{}: {}", case.name, block[0]);
}

/// An area in numbers: 100 for White, −100 for Black.
fn check_numbers(case: &Case, block: &[String]) {
    // What the three cases are counted with is in KataGo's test, not in the file.
    let (claim, suicide) = match case.name.as_str() {
        "groupTaxScoring" => (Claim::Stones, false),
        "groupTaxScoring2 but with unsafe territories on" => (Claim::Stones, true),
        _ => return check_safe_numbers(case, block),
    };
    let area = case.stones().area(claim, suicide);
    assert_eq!(numbers(&case.picture(&area)), words(block), "{}", case.name);
}

/// The case that leaves territory out unless all stones around it are safe.
fn check_safe_numbers(case: &Case, block: &[String]) {
    let stones = case.stones();
    let [black, white] = stones.area(Claim::SafeTerritory, true);
    let claimed = black | white;
    let area =
        [black | (stones.of(Side::First) - claimed), white | (stones.of(Side::Second) - claimed)];
    assert_eq!(numbers(&case.picture(&area)), words(block), "{}", case.name);
}

fn numbers(picture: &[String]) -> Vec<i32> {
    let number = |c| match c {
        'X' => -100,
        'O' => 100,
        _ => 0,
    };
    picture.iter().flat_map(|line| line.chars().map(number).collect::<Vec<_>>()).collect()
}

fn words(block: &[String]) -> Vec<i32> {
    block[1..].iter().flat_map(|line| line.split_whitespace()).map(|n| n.parse().unwrap()).collect()
}

#[test]
fn katago_areas() {
    let Some(text) = senbon_testkit::reference_text("go/rules/katago/area_tests.txt") else {
        return;
    };
    let (mut checked, mut left_out) = (0, 0);
    for mut case in cases(&text) {
        let name = case.name.clone();
        let mut next_boards = NEXT_BOARDS.iter().filter(|(other, _)| *other == name);
        for (number, block) in std::mem::take(&mut case.expected).iter().enumerate() {
            // Every board has eight expectations.
            if number > 0 && number % 8 == 0 {
                case.change(next_boards.next().expect("a further board").1);
            }
            match &block[0] {
                title if title.starts_with("Safe big") => check_area(&case, block),
                title if title.starts_with("Keep") => check_life(&case, block),
                title if title == "No group tax" => check_numbers(&case, block),
                title if title == "Group tax" => left_out += 1,
                title if title.starts_with("NonPassAliveSelfConn") => left_out += 1,
                title => panic!("{title}"),
            }
            checked += 1;
        }
    }
    assert_eq!((checked - left_out, left_out), (88 + 88 + 3, 3 + 2));
}
