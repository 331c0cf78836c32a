/** Tests functions of a Python file, in a real process. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createToolbox } from "@bridle/core";
import type { Environment } from "@bridle/project";
import { type AnyTool, type OpenedTools, TrustedFolder } from "@bridle/protocol";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { callTool } from "./call-for-tests.ts";
import { functionToolConfig } from "./function-config.ts";
import { openPythonFunction } from "./open-python-function.ts";

const trusted = await TrustedFolder.require(undefined, []);

const environment = { PATH: process.env.PATH, SECRET_TOKEN: "hidden" };

let baseDir = "";
let opened: OpenedTools[] = [];
beforeAll(async () => {
  baseDir = await mkdtemp(join(tmpdir(), "bridle-python-"));
});
afterEach(async () => {
  await Promise.all(opened.map((each) => each.close()));
  opened = [];
});
afterAll(() => rm(baseDir, { recursive: true, force: true }));

let count = 0;

async function open(code: string, config: object = {}, variables: Environment = environment): Promise<AnyTool> {
  const file = `tools_${count++}.py`;
  await writeFile(join(baseDir, file), code);
  const parsed = functionToolConfig.parse({ type: "function", name: "tool", function: "run", file, ...config });
  const tools = await openPythonFunction(parsed, { baseDir, environment: variables, trusted });
  opened.push(tools);
  const [tool] = tools.tools;
  if (!tool) throw new Error("There is no tool.");
  return tool;
}

const call = (tool: AnyTool, input: Record<string, unknown> = {}, signal?: AbortSignal) =>
  callTool(tool, input, { projectDir: baseDir, signal });

const hasPython = (() => {
  try {
    execFileSync("python3", ["--version"]);
    return true;
  } catch {
    return false;
  }
})();

test("without Python, a function of a Python file is refused with a sentence", async () => {
  await expect(open("def run(): pass\n", { python: "python-that-is-missing" })).rejects.toThrow(
    /^tools_\d+\.py needs Python, but there is no program python-that-is-missing\. Install Python 3\.9 or newer, or name/,
  );
});

describe.skipIf(!hasPython)("a function of a Python file (needs python3)", () => {
  test("is described by its signature and its documentation", async () => {
    const tool = await open(`from typing import Literal, Optional
def run(id: str, count: int = 1, ratio: float = 0.5, names: Optional[list[str]] = None, mode: Literal["a", "b"] = "a"):
    """Finds an order."""
`);
    const { declarations } = createToolbox([tool]);
    expect(declarations[0]).toMatchObject({
      name: "tool",
      description: "Finds an order.",
      inputSchema: {
        properties: {
          id: { type: "string" },
          count: { type: "integer" },
          ratio: { type: "number" },
          names: { type: "array", items: { type: "string" } },
          mode: { enum: ["a", "b"] },
        },
        required: ["id"],
      },
    });
  });

  test("returns text, structured values, and the results of asynchronous functions; what it prints is no result", async () => {
    const text = await open('print("hello")\ndef run(a, b):\n    print("noise")\n    return f"{a}-{b}"\n', {
      description: "Joins.",
      parameters: { a: { type: "string" }, b: { type: "integer" } },
    });
    expect(await call(text, { a: "x", b: 2 })).toBe("x-2");
    const object = await open('async def run():\n    """Lists."""\n    return {"äpfel": [1, 2]}\n');
    expect(await call(object)).toEqual({
      markdown: '{\n  "äpfel": [\n    1,\n    2\n  ]\n}',
      structured: { äpfel: [1, 2] },
    });
    expect(await call(await open('def run():\n    """Does."""\n'))).toBe("Done.");
  });

  test("keeps its process between calls, and gets one call after the other", async () => {
    const tool = await open('n = 0\ndef run():\n    """Counts."""\n    global n\n    n += 1\n    return str(n)\n');
    expect(await Promise.all([call(tool), call(tool), call(tool)])).toEqual(["1", "2", "3"]);
  });

  test("imports modules beside it and below the agent's folder", async () => {
    await mkdir(join(baseDir, "shared"), { recursive: true });
    await writeFile(join(baseDir, "shared", "words.py"), 'word = "found"\n');
    expect(
      await call(await open('from shared.words import word\ndef run():\n    """Says."""\n    return word\n')),
    ).toBe("found");
  });

  test("neither uses compiled modules of the project nor adds any", async () => {
    const compile =
      "import py_compile, sys; py_compile.compile(sys.argv[1], invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)";
    await mkdir(join(baseDir, "lib"), { recursive: true });
    const words = join(baseDir, "lib", "planted.py");
    await writeFile(words, 'word = "planted"\n');
    execFileSync("python3", ["-c", compile, words]);
    await writeFile(words, 'word = "source"\n');
    await writeFile(join(baseDir, "lib", "more.py"), "");
    const code = 'from lib import more, planted\ndef run():\n    """Says."""\n    return planted.word\n';
    for (const home of [undefined, join(baseDir, "home")]) {
      expect(await call(await open(code, {}, { ...environment, HOME: home }))).toBe("source");
      expect(await readdir(join(baseDir, "lib", "__pycache__"))).toHaveLength(1);
    }
    expect(existsSync(join(baseDir, "__pycache__"))).toBe(false);
  });

  test("gets only the variables that it names, and those that every process needs", async () => {
    const code = 'import os\ndef run():\n    """Lists."""\n    return ",".join(sorted(os.environ))\n';
    const names = String(await call(await open(code, { env: { REGION: "eu" } })));
    expect(names).toContain("REGION");
    expect(names).toContain("PATH");
    expect(names).not.toContain("SECRET_TOKEN");
  });

  test("that raises is an error with the line of the file, and the next call works", async () => {
    const tool = await open('def run(a: int):\n    """Divides."""\n    return 1 / a\n');
    await expect(call(tool, { a: 0 })).rejects.toThrow(/^tools_\d+\.py:3: ZeroDivisionError: division by zero$/);
    expect(await call(tool, { a: 1 })).toMatchObject({ structured: 1 });
  });

  test("that ends its process is an error with its last words, and the next call starts another", async () => {
    const tool = await open(
      'import os, sys\ndef run(a: int):\n    """Ends."""\n    if a:\n        print("bye", file=sys.stderr, flush=True)\n        os._exit(7)\n    return "ok"\n',
    );
    await expect(call(tool, { a: 1 })).rejects.toThrow(/ended with exit code 7: bye\.$/);
    expect(await call(tool, { a: 0 })).toBe("ok");
  });

  test("that is stopped ends with every process that it started, and the next call works", async () => {
    const started = join(baseDir, "started");
    const late = join(baseDir, "late");
    const tool = await open(`import subprocess, time
def run(wait: bool):
    """Waits."""
    if not wait:
        return "ok"
    subprocess.Popen(["sh", "-c", "sleep 1; touch ${late}"], start_new_session=True)
    open("${started}", "w").close()
    time.sleep(60)
`);
    const controller = new AbortController();
    const stopped = call(tool, { wait: true }, controller.signal);
    const failed = stopped.catch((error: unknown) => error);
    while (!existsSync(started)) await setTimeout(20);
    controller.abort();
    expect(String(await failed)).toContain("stopped");
    expect(await call(tool, { wait: false })).toBe("ok");
    if (process.platform !== "linux") return; // only there does Bridle find processes that left their group
    await setTimeout(1500);
    expect(existsSync(late)).toBe(false);
  });

  test.each([
    ["has a syntax error", "def run(:\n", /^tools_\d+\.py: .*SyntaxError/],
    ["lacks the function", "def runn(): pass\n", /it has no function run\. It has runn/],
    ["lacks a description", "def run(): pass\n", /has no description\. Write `description`/],
    ["fails while it is loaded", "import not_installed\n", /No module named 'not_installed'/],
  ])("that %s is refused with the name of the file", async (_title, code, message) => {
    await expect(open(code)).rejects.toThrow(message);
  });
});

test("settings of Python are refused for modules, and the other way round", () => {
  const parse = (given: object) =>
    functionToolConfig.safeParse({ type: "function", name: "a", function: "b", ...given }).error?.issues[0]?.message;
  expect(parse({ file: "a.ts", env: { A: "b" } })).toContain("is only for Python files.");
  expect(parse({ file: "a.py", env: { A: "b" } })).toBeUndefined();
  expect(parse({ file: "a", runtime: "python", python: "python3.12" })).toBeUndefined();
});
