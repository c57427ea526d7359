//! Plans that `import` refuses.

use expect_test::Expect;

use super::command::snapcheck;

/// What `import` says of a plan, which it then does not write an instance of.
pub(crate) fn refused(plan: &[u8], more: &[&str], expected: &Expect) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plan.json"), plan).unwrap();
    let arguments = [&["import", "plan.json"][..], more].concat();
    let output = snapcheck(&arguments).current_dir(folder.path()).output().unwrap();
    expected.assert_eq(&String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(!folder.path().join("plan.toml").exists());
}

pub(crate) fn error(plan: &str, expected: &Expect) {
    refused(plan.as_bytes(), &[], expected);
}

/// A plan in which nothing is wrong.
pub(crate) const GOOD: &str = r#"{"nodes": [
  {"id": "a", "parallelism": 2, "description": "Source: a"},
  {"id": "b", "parallelism": 2, "description": "B", "inputs": [
    {"id": "a", "ship_strategy": "HASH"}]}
]}
"#;

/// What is said of that plan with something changed.
pub(crate) fn change(from: &str, to: &str, expected: &Expect) {
    assert!(GOOD.contains(from));
    error(&GOOD.replace(from, to), expected);
}
