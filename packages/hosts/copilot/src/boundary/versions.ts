import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { readTextFileSync } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";
import { z } from "zod";

/** The SDK version on which the boundary was proved. */
export const pinnedCopilotSdk = "1.0.14";
export const sdkName = "@github/copilot-sdk";

const manifest = z.looseObject({ name: z.string(), version: z.string() });
const require = createRequire(import.meta.url);

/** Returns the version of the installed SDK. Throws ConfigError if it is not installed. */
export function installedSdkVersion(): string {
  return readManifest(sdkFolder(), sdkName).version;
}

/** Throws ConfigError if the SDK is missing, or if the boundary was not proved on its version. */
export function requirePinnedCopilotSdk(): void {
  const version = installedSdkVersion();
  if (version === pinnedCopilotSdk) return;
  throw new ConfigError(
    `${sdkName} ${version} is installed, but Bridle's boundary is known to hold on ${pinnedCopilotSdk} only. ` +
      `Run "npm install ${sdkName}@${pinnedCopilotSdk}".`,
  );
}

/** Returns the runtime's program for this machine. Throws ConfigError if its package is not installed. */
export function findRuntime(platform = runtimePlatform()): string {
  const name = `${sdkName}-${platform}`;
  const program = platform.startsWith("win32") ? "copilot-runtime.exe" : "copilot-runtime";
  try {
    const folder = dirname(createRequire(join(sdkFolder(), "package.json")).resolve(`${name}/package.json`));
    return join(folder, "prebuilds", platform, program);
  } catch (cause) {
    throw new ConfigError(
      `The backend copilot needs the package ${name}, which is not installed. Run "npm install" again, without --omit=optional.`,
      { cause },
    );
  }
}

function runtimePlatform(): string {
  const isMusl = process.platform === "linux" && !hasGlibc();
  return `${isMusl ? "linuxmusl" : process.platform}-${process.arch}`;
}

const report = z.looseObject({ header: z.looseObject({ glibcVersionRuntime: z.string().optional() }) });

function hasGlibc(): boolean {
  const parsed = report.safeParse(process.report.getReport());
  return !parsed.success || parsed.data.header.glibcVersionRuntime !== undefined;
}

/** Finds the SDK's folder from its entry, because the SDK does not export its manifest. */
function sdkFolder(): string {
  try {
    return dirname(dirname(dirname(require.resolve(sdkName))));
  } catch (cause) {
    throw missingSdkError(cause);
  }
}

export function missingSdkError(cause: unknown): ConfigError {
  return new ConfigError(
    `The backend copilot needs the package "${sdkName}", which is not installed. Run "npm install ${sdkName}@${pinnedCopilotSdk}".`,
    { cause },
  );
}

function readManifest(folder: string, name: string): z.infer<typeof manifest> {
  const found = manifest.parse(JSON.parse(readTextFileSync(join(folder, "package.json"))));
  if (found.name !== name) throw missingSdkError(new Error(`${folder} holds ${found.name}`));
  return found;
}
