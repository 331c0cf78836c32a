/** Reads the structure of a regular expression: its groups, its alternatives, and the anchors `^` and `$`. */

const token = /\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|[a-z-]*:|<\w+>)|[\s\S]/gu;

/** Compiles a regular expression, as all of Bridle does: with the flag u if the expression contains `\p{…}`. */
export function compileExpression(source: string, flags = ""): RegExp {
  const namesProperty = tokensOf(source).some((part) => /^\\[pP]\{|^\[.*\\[pP]\{/s.test(part));
  return new RegExp(source, namesProperty ? `${flags}u` : flags);
}

/** Lists the alternatives of the outermost level: `a` and `(b|c)` in `a|(b|c)`. */
export function alternativesOf(source: string): string[] {
  let depth = 0;
  const found = [""];
  for (const part of tokensOf(source)) {
    if (part.startsWith("(")) depth += 1;
    if (part === ")") depth -= 1;
    if (part === "|" && depth === 0) found.push("");
    else found.push(`${found.pop()}${part}`);
  }
  return found;
}

/** Whether `^` or `$` occurs outside of lookaheads and lookbehinds. */
export function isHeldAtAnEnd(source: string): boolean {
  const groups: boolean[] = [];
  for (const part of tokensOf(source)) {
    if (part.startsWith("(")) groups.push(isLook(part));
    if (part === ")") groups.pop();
    if ((part === "^" || part === "$") && !groups.includes(true)) return true;
  }
  return false;
}

/** Finds a negative lookahead that searches, such as `(?!.*sorry)`, and has no anchor before it. */
export function freeSearch(source: string): string | undefined {
  const parts = tokensOf(source);
  /** For each open group: its beginning, and whether its alternative contains a position or a character. */
  const groups = [{ begin: "", isHeld: false }];
  for (const [index, part] of parts.entries()) {
    const group = groups.at(-1);
    if (group === undefined) return undefined; // unbalanced parentheses: not valid
    if (part === "(?!" && !groups.some(({ isHeld }) => isHeld)) {
      const look = lookAt(parts, index);
      if (/^\(\?!(?:\.|\[(?:\\.|[^\]])*\]|\(\?:\.\|\\n\))[*+{]/.test(look)) return look;
    }
    if (part.startsWith("(")) groups.push({ begin: part, isHeld: false });
    else if (part === ")") {
      groups.pop();
      const outer = groups.at(-1);
      if (outer !== undefined && !isLook(group.begin)) outer.isHeld = true;
    } else if (part === "|") group.isHeld = false;
    else if (!/^\\[bB]$/.test(part)) group.isHeld = true;
  }
  return undefined;
}

function lookAt(parts: readonly string[], start: number): string {
  let depth = 0;
  const end = parts.findIndex((part, index) => {
    if (index < start) return false;
    if (part.startsWith("(")) depth += 1;
    if (part === ")") depth -= 1;
    return depth === 0;
  });
  return parts.slice(start, end + 1).join("");
}

function isLook(begin: string): boolean {
  return /^\(\?<?[=!]$/.test(begin);
}

function tokensOf(source: string): string[] {
  return [...source.matchAll(token)].map(([part]) => part);
}
