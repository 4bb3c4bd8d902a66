//! Places in the sources where a fault can be put, and what it looks like.

use crate::Arguments;
use proc_macro2::Span;
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprLit, Lit, ReturnType, Signature, Type, UnOp};

/// A fault: bytes of a file, and what stands there instead.
#[derive(Clone, Debug)]
pub(crate) struct Mutant {
    /// Number in the sample, from 1.
    pub(crate) id: usize,
    /// How many mutants of the same text stand before it in its file.
    nth: usize,
    /// Path in the workspace.
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
    before: String,
    after: String,
    /// The fault is a statement before the body instead of another expression.
    is_body: bool,
}

impl Mutant {
    /// What the mutant is, apart from the line it stands in.
    pub(crate) fn key(&self) -> String {
        format!("{}: {} -> {}", self.file.display(), one_line(&self.before), one_line(&self.after))
    }

    /// What the mutant is in any state of the file that keeps the order of equal ones.
    pub(crate) fn identity(&self) -> String {
        format!("{} #{}", self.key(), self.nth)
    }

    /// Place of the mutant in the order in which a sample takes them: a hash (FNV-1a, mixed like splitmix64).
    pub(crate) fn rank(&self, seed: u64) -> u64 {
        let mut hash = 0xCBF2_9CE4_8422_2325_u64 ^ seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for byte in self.identity().bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
        hash = (hash ^ (hash >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        hash = (hash ^ (hash >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        hash ^ (hash >> 31)
    }

    /// What takes the place of the bytes: the fault when it is switched on, else what was there.
    pub(crate) fn replacement(&self) -> String {
        let Self { id, before, after, is_body, .. } = self;
        if *is_body {
            return format!("if ::mutant_switch::is({id}) {{ {after}; }} ");
        }
        format!("(if ::mutant_switch::is({id}) {{ {after} }} else {{ {before} }})")
    }
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, after) = (one_line(&self.before), one_line(&self.after));
        write!(f, "{}:{}: {before} -> {after}", self.file.display(), self.line)
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Finds the mutants of one file.
struct Finder<'a> {
    text: &'a str,
    /// Start of each line in bytes.
    lines: Vec<usize>,
    file: PathBuf,
    found: Vec<Mutant>,
}

impl Finder<'_> {
    fn offset(&self, position: proc_macro2::LineColumn) -> usize {
        let start = self.lines[position.line - 1];
        // columns count characters
        self.text[start..].char_indices().nth(position.column).map_or(self.text.len(), |(n, _)| start + n)
    }

    fn range(&self, span: Span) -> (usize, usize) {
        (self.offset(span.start()), self.offset(span.end()))
    }

    fn source(&self, span: Span) -> String {
        let (start, end) = self.range(span);
        self.text[start..end].to_owned()
    }

    fn add(&mut self, span: Span, after: String) {
        let (start, end) = self.range(span);
        let before = self.text[start..end].to_owned();
        let line = span.start().line;
        let file = self.file.clone();
        self.found.push(Mutant { id: 0, nth: 0, file, line, start, end, before, after, is_body: false });
    }

    /// A function that returns at once.
    fn add_body(&mut self, signature: &Signature, block: &syn::Block) {
        let Some(value) = empty_value(&signature.output) else { return };
        if block.stmts.is_empty() {
            return;
        }
        let at = self.offset(block.span().start()) + 1;
        let before = format!("fn {}", signature.ident);
        self.found.push(Mutant {
            id: 0,
            nth: 0,
            file: self.file.clone(),
            line: signature.ident.span().start().line,
            start: at,
            end: at,
            before,
            after: format!("return {value}").trim_end().to_owned(),
            is_body: true,
        });
    }
}

/// What a function of this type can return instead of its result.
fn empty_value(output: &ReturnType) -> Option<&'static str> {
    let ReturnType::Type(_, kind) = output else { return Some("") };
    match &**kind {
        Type::Path(path) => match path.path.segments.last()?.ident.to_string().as_str() {
            "f64" | "f32" | "usize" | "i32" | "u32" | "bool" | "Vec" | "Option" | "Vec3" => {
                Some("Default::default()")
            }
            _ => None,
        },
        Type::Array(_) => Some("Default::default()"),
        _ => None,
    }
}

/// The operator that a fault exchanges this one for.
fn other_operator(op: &BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Add(_) => "-",
        BinOp::Sub(_) => "+",
        BinOp::Mul(_) => "/",
        BinOp::Div(_) => "*",
        BinOp::Lt(_) => "<=",
        BinOp::Le(_) => "<",
        BinOp::Gt(_) => ">=",
        BinOp::Ge(_) => ">",
        BinOp::Eq(_) => "!=",
        BinOp::Ne(_) => "==",
        BinOp::And(_) => "||",
        BinOp::Or(_) => "&&",
        BinOp::AddAssign(_) => "-=",
        BinOp::SubAssign(_) => "+=",
        BinOp::MulAssign(_) => "/=",
        BinOp::DivAssign(_) => "*=",
        _ => return None,
    })
}

/// Whether a condition binds names with `let`: it is no expression of its own.
fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

/// Whether an item is there for tests only.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string().contains("test"),
        meta => meta.path().is_ident("test"),
    })
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Binary(binary) if !has_let(expr) => {
                if let Some(op) = other_operator(&binary.op) {
                    let (left, right) = (self.source(binary.left.span()), self.source(binary.right.span()));
                    self.add(expr.span(), format!("{left} {op} {right}"));
                }
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_) | UnOp::Not(_)) => {
                self.add(expr.span(), self.source(unary.expr.span()));
            }
            Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) => {
                let zero = number.base10_parse::<f64>().is_ok_and(|value| value == 0.0);
                let text = number.to_string();
                self.add(
                    expr.span(),
                    if zero { text.replacen('0', "1", 1) } else { format!("2.0 * {text}") },
                );
            }
            Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => {
                self.add(expr.span(), format!("{number} + 1"));
            }
            Expr::Lit(ExprLit { lit: Lit::Bool(value), .. }) => {
                self.add(expr.span(), (!value.value).to_string());
            }
            _ => {}
        }
        visit::visit_expr(self, expr);
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        // the length is a constant
        self.visit_expr(&repeat.expr);
    }

    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_type(&mut self, _: &'ast Type) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if item.sig.constness.is_none() && !is_test(&item.attrs) {
            self.add_body(&item.sig, &item.block);
            visit::visit_block(self, &item.block);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if item.sig.constness.is_none() && !is_test(&item.attrs) {
            self.add_body(&item.sig, &item.block);
            visit::visit_block(self, &item.block);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }
}

/// All mutants of a file.
fn mutants_of(root: &Path, file: &Path) -> Result<Vec<Mutant>, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(root.join(file))?;
    let syntax = syn::parse_file(&text).map_err(|problem| format!("{}: {problem}", file.display()))?;
    let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(n, _)| n + 1)).collect();
    let mut finder = Finder { text: &text, lines, file: file.to_owned(), found: Vec::new() };
    finder.visit_file(&syntax);
    let mut seen = HashMap::new();
    for mutant in &mut finder.found {
        let count = seen.entry(mutant.key()).or_insert(0);
        mutant.nth = *count;
        *count += 1;
    }
    Ok(finder.found)
}

/// Rust files below a folder of the workspace, sorted. Files of tests inside the sources are left out.
fn sources(root: &Path, folder: &Path, out: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries: Vec<_> =
        std::fs::read_dir(root.join(folder))?.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let inside = path.strip_prefix(root).unwrap_or(&path).to_owned();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            sources(root, &inside, out)?;
        } else if name.ends_with(".rs") && !name.contains("test") {
            out.push(inside);
        }
    }
    Ok(())
}

/// A sample of mutants that do not overlap, sorted by file and place, and how many there are in all. Each
/// mutant has a rank of its own, so that a change of the sources leaves the rest of a sample as it was. A
/// list (`--only`) takes the place of the random choice.
pub(crate) fn sample(
    root: &Path,
    arguments: &Arguments,
) -> Result<(usize, Vec<Mutant>), Box<dyn std::error::Error>> {
    let mut files = Vec::new();
    for name in &arguments.crates {
        sources(root, &Path::new("crates").join(name).join("src"), &mut files)?;
    }
    let mut all = Vec::new();
    for file in &files {
        all.extend(mutants_of(root, file)?);
    }
    let total = all.len();
    if let Some(list) = &arguments.only {
        let listed = std::fs::read_to_string(list)?;
        all.retain(|mutant| listed.lines().any(|line| line.trim() == mutant.to_string()));
    }
    all.sort_by_cached_key(|mutant| mutant.rank(arguments.seed));
    let mut chosen: Vec<Mutant> = Vec::new();
    for candidate in all {
        let overlaps = |other: &Mutant| {
            other.file == candidate.file
                && other.start < candidate.end.max(candidate.start + 1)
                && candidate.start < other.end.max(other.start + 1)
        };
        if chosen.len() < arguments.count && !chosen.iter().any(overlaps) {
            chosen.push(candidate);
        }
    }
    chosen.sort_by(|a, b| (&a.file, a.start).cmp(&(&b.file, b.start)));
    for (n, mutant) in chosen.iter_mut().enumerate() {
        mutant.id = n + 1;
    }
    Ok((total, chosen))
}
