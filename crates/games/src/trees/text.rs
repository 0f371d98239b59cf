//! Synthetic trees in writing: `uniform:w7:d12:seed42/3.1.6`.
//!
//! The kind of tree, its parameters as a name and a number each, and after a slash the path
//! from the root, children counted from 1. `docs/trees.md` lists the parameters.

use super::{
    Branch, Edges, Incremental, IncrementalShape, Placement, Regular, RegularShape, ShapeError,
};
use crate::{Game, Notation, NotationError};

impl Notation for Regular {
    /// The uniform tree of width 7 and depth 12 with seed 1.
    fn start() -> Self {
        Regular::new(RegularShape::new(Placement::Uniform, 7, 12, 1)).expect("a shape in range")
    }

    fn parse_position(text: &str) -> Result<Self, NotationError> {
        let mut fields = Fields::read(text)?;
        let kind = fields.kind;
        let placement = match kind {
            "uniform" => Placement::Uniform,
            "geometric" => Placement::Geometric { p: fields.required("p")? },
            "ordered" => Placement::Ordered { p: fields.required("p")? },
            _ => {
                let what = format!("`{kind}` is not uniform, geometric or ordered");
                return Err(NotationError::new(0, what));
            }
        };
        let width = fields.required("w")?;
        let depth = fields.required("d")?;
        let mut shape = RegularShape::new(placement, width, depth, fields.required("seed")?);
        shape.value = fields.optional("v", shape.value)?;
        shape.spread = fields.optional("s", shape.spread)?;
        fields.follow(Regular::new(shape))
    }

    fn format_position(&self) -> String {
        let RegularShape { placement, width, depth, seed, value, spread } = *self.shape();
        let mut text = match placement {
            Placement::Uniform => "uniform".to_owned(),
            Placement::Geometric { p } => format!("geometric:p{p}"),
            Placement::Ordered { p } => format!("ordered:p{p}"),
        };
        text += &format!(":w{width}:d{depth}:seed{seed}");
        let usual = RegularShape::new(placement, width, depth, seed);
        push_unless_usual(&mut text, "v", value, usual.value);
        push_unless_usual(&mut text, "s", spread, usual.spread);
        text + &path_text(self.path())
    }

    fn parse_move(&self, text: &str) -> Result<Branch, NotationError> {
        branch(self, text)
    }

    fn format_move(&self, mv: Branch) -> String {
        mv.number().to_string()
    }
}

impl Notation for Incremental {
    /// The tree of width 5 and depth 24 with seed 1.
    fn start() -> Self {
        Incremental::new(IncrementalShape::new(5, 24, 1)).expect("a shape in range")
    }

    fn parse_position(text: &str) -> Result<Self, NotationError> {
        let mut fields = Fields::read(text)?;
        if fields.kind != "incremental" {
            let what = format!("`{}` is not incremental", fields.kind);
            return Err(NotationError::new(0, what));
        }
        let width = fields.required("w")?;
        let depth = fields.required("d")?;
        let mut shape = IncrementalShape::new(width, depth, fields.required("seed")?);
        let Edges { draws, quiet, swing, swing_chance } = shape.edges;
        shape.edges = Edges {
            draws: fields.optional("n", draws)?,
            quiet: fields.optional("q", quiet)?,
            swing: fields.optional("x", swing)?,
            swing_chance: fields.optional("c", swing_chance)?,
        };
        fields.follow(Incremental::new(shape))
    }

    fn format_position(&self) -> String {
        let IncrementalShape { width, depth, seed, edges } = *self.shape();
        let mut text = format!("incremental:w{width}:d{depth}:seed{seed}");
        let usual = IncrementalShape::new(width, depth, seed).edges;
        push_unless_usual(&mut text, "n", edges.draws, usual.draws);
        push_unless_usual(&mut text, "q", edges.quiet, usual.quiet);
        push_unless_usual(&mut text, "x", edges.swing, usual.swing);
        push_unless_usual(&mut text, "c", edges.swing_chance, usual.swing_chance);
        text + &path_text(self.path())
    }

    fn parse_move(&self, text: &str) -> Result<Branch, NotationError> {
        branch(self, text)
    }

    fn format_move(&self, mv: Branch) -> String {
        mv.number().to_string()
    }
}

fn push_unless_usual<T: PartialEq + ToString>(text: &mut String, name: &str, value: T, usual: T) {
    if value != usual {
        *text += &format!(":{name}{}", value.to_string());
    }
}

fn path_text(path: impl Iterator<Item = Branch>) -> String {
    let numbers: Vec<String> = path.map(|branch| branch.number().to_string()).collect();
    if numbers.is_empty() { String::new() } else { format!("/{}", numbers.join(".")) }
}

/// Reads a child's number and finds the branch to it.
fn branch<G: Game<Move = Branch>>(node: &G, text: &str) -> Result<Branch, NotationError> {
    let children = node.count_moves();
    if children == 0 {
        return Err(NotationError::new(0, "this node is a leaf"));
    }
    match text.parse::<usize>() {
        Ok(number) if (1..=children).contains(&number) => Ok(Branch::new((number - 1) as u8)),
        _ => {
            let what = format!("`{text}` is not a child's number, write 1 to {children}");
            Err(NotationError::new(0, what))
        }
    }
}

/// One parameter of a text.
struct Field<'a> {
    at: usize,
    name: &'a str,
    number: &'a str,
}

/// The parts of a text: kind, parameters, path.
struct Fields<'a> {
    kind: &'a str,
    fields: Vec<Field<'a>>,
    /// Where the parameters end.
    end: usize,
    path: Option<&'a str>,
}

impl<'a> Fields<'a> {
    fn read(text: &'a str) -> Result<Self, NotationError> {
        let (tree, path) = match text.split_once('/') {
            Some((tree, path)) => (tree, Some(path)),
            None => (text, None),
        };
        let mut parts = tree.split(':');
        let kind = parts.next().unwrap_or_default();
        let mut at = kind.len();
        let mut fields: Vec<Field> = Vec::new();
        for part in parts {
            at += 1;
            let digits = part.find(|c: char| c == '-' || c.is_ascii_digit());
            let (name, number) = part.split_at(digits.unwrap_or(part.len()));
            if fields.iter().any(|field| field.name == name) {
                return Err(NotationError::new(at, format!("`{name}` is given twice")));
            }
            fields.push(Field { at, name, number });
            at += part.len();
        }
        Ok(Fields { kind, fields, end: tree.len(), path })
    }

    fn take<T: std::str::FromStr>(&mut self, name: &str) -> Result<Option<T>, NotationError> {
        let Some(index) = self.fields.iter().position(|field| field.name == name) else {
            return Ok(None);
        };
        let Field { at, number, .. } = self.fields.remove(index);
        number.parse().map(Some).map_err(|_| {
            let what = format!("`{name}` needs a number in range after it, not `{number}`");
            NotationError::new(at, what)
        })
    }

    fn required<T: std::str::FromStr>(&mut self, name: &str) -> Result<T, NotationError> {
        self.take(name)?.ok_or_else(|| {
            let what = format!("`{}` needs `:{name}` and a number", self.kind);
            NotationError::new(self.end, what)
        })
    }

    fn optional<T: std::str::FromStr>(&mut self, name: &str, usual: T) -> Result<T, NotationError> {
        Ok(self.take(name)?.unwrap_or(usual))
    }

    /// Goes down the path from the root, once no parameter is left unread.
    fn follow<G: Notation<Move = Branch>>(
        self,
        root: Result<G, ShapeError>,
    ) -> Result<G, NotationError> {
        if let Some(Field { at, name, .. }) = self.fields.first() {
            let what = format!("a tree of kind {} has no parameter `{name}`", self.kind);
            return Err(NotationError::new(*at, what));
        }
        let mut node = root.map_err(|error| NotationError::new(0, error.to_string()))?;
        let Some(path) = self.path else { return Ok(node) };
        let mut at = self.end + 1;
        for number in path.split('.') {
            let branch = node.parse_move(number).map_err(|e| NotationError::new(at, e.what))?;
            node.play(branch);
            at += number.len() + 1;
        }
        Ok(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_back_as_written() {
        for text in [
            "uniform:w7:d12:seed42",
            "uniform:w7:d12:seed42/3.1.6",
            "geometric:p58982:w7:d13:seed1:v-15:s300/7",
            "ordered:p65536:w255:d64:seed18446744073709551615/255.1",
        ] {
            assert_eq!(Regular::parse_position(text).unwrap().format_position(), text);
        }
        for text in ["incremental:w5:d24:seed7", "incremental:w20:d12:seed7:n3:q9:x40:c999/20.1"] {
            assert_eq!(Incremental::parse_position(text).unwrap().format_position(), text);
        }
        let root = Regular::parse_position("uniform:seed42:s1:v0:d12:w7").unwrap();
        assert_eq!(root.format_position(), "uniform:w7:d12:seed42");
    }

    #[test]
    fn bad_texts_say_where_and_why() {
        for (text, at, what) in [
            ("", 0, "not uniform"),
            ("even:w7", 0, "not uniform"),
            ("uniform:w7:d12", 14, "`:seed`"),
            ("geometric:w7:d12:seed1", 22, "`:p`"),
            ("uniform:w7:d12:seed1:p3", 21, "no parameter `p`"),
            ("uniform:w7:d12:seed1:w8", 21, "twice"),
            ("uniform:w300:d12:seed1", 8, "in range"),
            ("uniform:w0:d12:seed1", 0, "1 to 255 wide"),
            ("uniform:w7:d65:seed1", 0, "at most 64 plies"),
            ("uniform:w7:d64:seed1:s1000", 0, "64000"),
            ("geometric:p65537:w7:d12:seed1", 0, "at most 65536"),
            ("uniform:w7:d1:seed1/8", 20, "1 to 7"),
            ("uniform:w7:d1:seed1/1.1", 22, "leaf"),
            ("uniform:w7:d1:seed1/", 20, "1 to 7"),
        ] {
            let error = Regular::parse_position(text).unwrap_err();
            assert_eq!(error.at, at, "{text}: {error}");
            assert!(error.what.contains(what), "{text}: {error}");
        }
        for (text, what) in [
            ("uniform:w5:d24:seed7", "not incremental"),
            ("incremental:w5:d24:seed7:n4", "1 to 3 draws"),
            ("incremental:w5:d24:seed7:q700", "33600"),
            ("incremental:w5:d24:seed7:c65537", "at most 65536"),
        ] {
            let error = Incremental::parse_position(text).unwrap_err();
            assert!(error.what.contains(what), "{text}: {error}");
        }
    }
}
