import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { checks, documents, fileName } from "../support/code-blocks.ts";
import { blocksOf } from "../support/markdown.ts";
import { openTestProject } from "../support/test-project.ts";

test("the programs in the documents have no type errors", async () => {
  const project = await openTestProject();
  try {
    for (const document of documents) {
      const folder = join("documents", dirname(document.path), document.path.replaceAll(/\W/g, "-"));
      for (const block of blocksOf(document).filter(({ language }) => language === "ts")) {
        project.write(join(folder, fileName(block) ?? `line-${block.line}.ts`), block.code);
      }
    }
    project.write("tsconfig.json", JSON.stringify({ extends: "../../tsconfig.json", include: ["documents/**/*.ts"] }));
    expect(await project.shell("tsc --noEmit -p .")).toEqual({ code: 0, output: "" });
  } finally {
    await project.close();
  }
});

test("the languages of the documents' blocks are known", () => {
  const languages = documents.flatMap((document) => blocksOf(document).map(({ language }) => language));
  expect(
    languages.filter((language) => !checks[language] && !["text", "json", "mermaid", "sql"].includes(language)),
  ).toEqual([]);
});
