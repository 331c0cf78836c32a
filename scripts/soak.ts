/**
 * Runs the tests for rare faults much longer than `npm test` does. They cover processes that share an event log, calls that share Claude
 * Code processes, and random runs, rules, histories and metric queries. With arguments, runs only the tests whose path contains one of the
 * arguments.
 */
import { delimiter } from "node:path";
import { enterCleanEnvironment } from "./clean-environment.ts";
import { binFolder, runCommand } from "./run-command.ts";
import { soakFiles } from "./soak-files.ts";

const parts = process.argv.slice(2);
const files = parts.length === 0 ? soakFiles : soakFiles.filter((file) => parts.some((part) => file.includes(part)));
if (files.length === 0) throw new Error(`No test of the soak run has a path with ${parts.join(" or ")}.`);
enterCleanEnvironment();
process.env.PATH = [binFolder, process.env.PATH].join(delimiter);
const built = await runCommand("node", ["scripts/build.ts"], "inherit"); // builds types, too, because the consumer tests check them
const scale = { SOAK_SECONDS: "60", SOAK_CALLS: "400", SOAK_SESSIONS: "40", SOAK_FACTOR: "20" };
if (built.code !== 0) process.exit(1);
const started = performance.now();
const soaked = await runCommand("vitest", ["run", "--testTimeout=1200000", ...files], "inherit", scale);
console.log(`The soak run took ${Math.round((performance.now() - started) / 60_000)} min.`);
process.exitCode = soaked.code === 0 ? 0 : 1;
