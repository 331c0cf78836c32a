/** A project outside of this repository that installs the published packages from their archives. */
import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../../scripts/packages.ts";

export class Consumer {
  readonly folder = mkdtempSync(join(tmpdir(), "bridle-consumer-"));

  /** The absolute paths of the packages' archives. */
  readonly archives: readonly string[];

  /** Installs the packages, together with other packages from npm. */
  constructor(others: readonly string[]) {
    const folder = join(this.folder, "archives");
    execFileSync("node", ["scripts/pack.ts", folder, "--built"], { cwd: root, stdio: "pipe" });
    this.archives = globSync("*.tgz", { cwd: folder }).map((name) => join(folder, name));
    this.install(".", [...this.archives, ...others]);
  }

  /** Installs packages in a folder of the project, or only resolves them with `--package-lock-only`. */
  install(folder: string, packages: readonly string[], lock = "--no-package-lock"): void {
    const manifest = { name: "consumer", private: true, type: "module" };
    this.write(join(folder, "package.json"), JSON.stringify(manifest));
    const options = ["--no-audit", "--no-fund", "--prefer-offline", lock, "--loglevel=error"];
    const cwd = join(this.folder, folder);
    execFileSync("npm", ["install", ...options, ...packages], { cwd, stdio: "pipe" });
  }

  write(name: string, text: string): void {
    const file = join(this.folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Runs a program in a folder of the project and returns its output, even if the program fails. */
  run(command: string, args: readonly string[], folder = "."): string {
    const cwd = join(this.folder, folder);
    try {
      return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
    } catch (error) {
      return `${Reflect.get(Object(error), "stdout")}${error}`;
    }
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The compiler options of an application that is as strict as possible, except that library files are not checked. */
export const strictOptions = {
  target: "es2024",
  module: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  types: ["node"],
  typeRoots: [join(root, "node_modules/@types")],
};
