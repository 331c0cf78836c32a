const introduction = `<!-- Made by scripts/generate.ts from the commands' own help. Change the help, then run "npm run generate". -->

# The command

Results go to standard output, progress goes to standard error. With \`--json\`, commands print JSON for programs: see
[JSON output](json-output.md). The error for an unknown flag, command or value names the nearest known one. Without a terminal, commands ask
no questions. If \`NO_COLOR\` is set, the output has no colours.
`;

const ending = `## Read next

- [Running agents](../guides/apps/running-agents.md): the same operations from TypeScript
- [Configuration](configuration.md): every key of \`bridle.yaml\`
- [Claude Code](../guides/hosts/claude-code.md): logins, what Claude Code can reach, and troubleshooting
`;

/** Returns a reference with the help of every command. `print` runs the command with arguments and returns its output. */
export async function commandReference(print: (...args: string[]) => Promise<string>): Promise<string> {
  const overview = await print("--help");
  const commands = await Promise.all(
    commandNames(overview).map(async (name) => section(`bridle ${name}`, await print(...name.split(" "), "--help"))),
  );
  return [introduction, section("bridle", overview), ...commands, ending].join("\n");
}

/**
 * Returns the names in the overview's command list. Each line of the list has an indentation of two, the command, at least two blanks, and
 * the summary.
 */
function commandNames(overview: string): string[] {
  const list = /^Commands:\n(.*?)\n\n/ms.exec(overview)?.[1] ?? "";
  return list.split("\n").map((line) => line.trim().split(/ {2,}/)[0] ?? "");
}

function section(title: string, help: string): string {
  return `## \`${title}\`\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`;
}
