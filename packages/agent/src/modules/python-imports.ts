/** Finds the modules that a Python file may load. Pure. */

const imported = /^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+([^\n#]+)|import[ \t]+([^\n#]+))/gm;

/**
 * Returns the relative paths that the imports of a Python file may refer to: modules in the file's folder, and in the folders above,
 * because these contain the file's packages. The names of installed packages become paths that do not exist.
 */
export function pythonImportsOf(text: string): string[] {
  return [...text.matchAll(imported)].flatMap(([, from, names = "", modules = ""]) => {
    const listed = (from === undefined ? modules : names).split(",").map((name) => name.trim().split(/\s/)[0] ?? "");
    const wanted = from === undefined ? listed : [from, ...listed.map((name) => `${from}.${name}`)];
    return wanted.flatMap((name) => {
      const parts = name.split(".").filter((part) => /^\w+$/.test(part));
      const inner = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
      return inner.flatMap((each) =>
        ["./", "../", "../../", "../../../"].flatMap((up) => [`${up}${each}.py`, `${up}${each}/__init__.py`]),
      );
    });
  });
}

/** Ways in which Python code can load a module or run a string that it computes. */
const open =
  /\b(?:__import__|__builtins__|builtins|importlib|imp|runpy|pkgutil|zipimport|exec|eval|execfile|compile|subprocess|multiprocessing|ctypes|getattr|globals|site|os|pty|modules|path)\b/;

/**
 * Returns every word of a Python file, because a statement can import in many ways, but always contains the name of the module; and whether
 * the file may load modules that no word names. Python normalizes compatible letters: `ｅvil` imports `evil`.
 */
export function pythonMentions(text: string): { readonly names: ReadonlySet<string>; readonly isOpen: boolean } {
  const plain = text.normalize("NFKC");
  return { names: new Set(plain.match(/[\p{L}\p{N}_]+/gu)), isOpen: open.test(plain) };
}

/** Returns the strings in a Python file. For an expression that joins strings, returns each part. */
export function pythonTexts(text: string): string[] {
  return [...text.matchAll(/(["'])((?:\\.|(?!\1)[^\\\n])*)\1/g)].map(([, , inner = ""]) => inner);
}
