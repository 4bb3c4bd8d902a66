//! The pages of the manual, and a search over their text.

/// Markdown files of the manual by name, as `build.rs` has found them.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/manual.rs"));

/// Folders of pages for users, in the order in which they are read; other pages follow.
const PARTS: [&str; 5] = ["start", "coming-from-mujoco", "concepts", "guides", "reference"];

/// How much more a word counts in a title, a keyword and a heading than in the text.
const TITLE: usize = 20;
const KEYWORD: usize = 10;
const HEADING: usize = 5;
/// Most mentions in the text of a page that count: long pages are not better ones.
const MENTIONS: usize = 5;

/// A page of the manual.
#[derive(Debug)]
pub(super) struct Page {
    /// Folder and file, without the ending.
    pub name: &'static str,
    /// What the search takes beside the text.
    keywords: String,
    /// Markdown without what only the site needs.
    pub text: String,
}

/// A page that has all words of a search.
#[derive(Debug)]
pub(super) struct Found<'a> {
    pub page: &'a Page,
    /// The first of the lines that have most of the words.
    pub line: &'a str,
    score: usize,
}

/// All pages, part by part.
pub(super) fn all() -> Vec<Page> {
    let mut pages: Vec<Page> = FILES.iter().map(|(name, source)| Page::new(name, source)).collect();
    let part = |page: &Page| {
        let folder = page.name.split_once('/').map_or("", |(folder, _)| folder);
        PARTS.iter().position(|part| *part == folder).unwrap_or(PARTS.len())
    };
    // a stable sort: files have the order of their names
    pages.sort_by_key(part);
    pages
}

/// The page with this name, or the only one whose file is called so.
pub(super) fn named<'a>(pages: &'a [Page], name: &str) -> Option<&'a Page> {
    let name = name.trim_end_matches(".md");
    if let Some(page) = pages.iter().find(|page| page.name == name) {
        return Some(page);
    }
    let mut same = pages.iter().filter(|page| page.name.rsplit('/').next() == Some(name));
    same.next().filter(|_| same.next().is_none())
}

/// Pages that have all of the words, the best first.
pub(super) fn search<'a>(pages: &'a [Page], words: &[String]) -> Vec<Found<'a>> {
    let words: Vec<String> =
        words.iter().flat_map(|word| word.split_whitespace()).map(str::to_lowercase).collect();
    let mut found: Vec<Found<'a>> = pages.iter().filter_map(|page| page.find(&words)).collect();
    // a stable sort: of equal scores the page that is read first comes first
    found.sort_by_key(|one| std::cmp::Reverse(one.score));
    found
}

impl Page {
    fn new(name: &'static str, source: &str) -> Self {
        let (front, body) = split_front_matter(source);
        let keywords = front.split_once("keywords:").map_or("", |(_, words)| words).to_lowercase();
        Page { name, keywords, text: clean(body) }
    }

    /// The first heading.
    pub(super) fn title(&self) -> &str {
        self.text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(self.name)
    }

    fn find(&self, words: &[String]) -> Option<Found<'_>> {
        let mut score = 0;
        for word in words {
            let of_word = self.score(word);
            if of_word == 0 {
                return None;
            }
            score += of_word;
        }
        let count = |line: &str| {
            let line = line.to_lowercase();
            words.iter().filter(|word| line.contains(word.as_str())).count()
        };
        let most = self.text.lines().map(count).max().unwrap_or(0);
        let line = self.text.lines().find(|line| count(line) == most).unwrap_or("").trim();
        Some(Found { page: self, line, score })
    }

    /// How well the page fits a word; 0 where it does not have it.
    fn score(&self, word: &str) -> usize {
        let text = self.text.to_lowercase();
        let headings = text.lines().filter(|line| line.starts_with("##") && line.contains(word)).count();
        TITLE * usize::from(self.title().to_lowercase().contains(word))
            + KEYWORD * usize::from(self.keywords.contains(word))
            + HEADING * headings.min(1)
            + text.matches(word).count().min(MENTIONS)
    }
}

/// The settings of the site at the top of a page, and the rest.
fn split_front_matter(source: &str) -> (&str, &str) {
    source.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).unwrap_or(("", source))
}

/// A page without directives of the site and without comments for the tests of its code.
fn clean(body: &str) -> String {
    let mut text = String::with_capacity(body.len());
    // the fence that ends the directive
    let mut fence: Option<String> = None;
    for line in body.lines() {
        if let Some(end) = &fence {
            if line.trim_end() == end {
                fence = None;
            }
            continue;
        }
        let marks = line.chars().take_while(|&mark| mark == '`' || mark == ':').count();
        if marks >= 3 && line[marks..].starts_with('{') {
            fence = Some(line[..marks].to_owned());
        } else if !line.starts_with("<!-- test:") {
            text.push_str(line);
            text.push('\n');
        }
    }
    text.trim().to_owned() + "\n"
}
