/** Modules that are bundled into built packages, because reading many small files is the slowest part of an import. */
import { fileURLToPath } from "node:url";
import type { InlineConfig } from "tsdown";

type Plugin = Extract<Extract<InlineConfig["plugins"], unknown[]>[number], { name: string }>;

const bundled: Readonly<Record<string, readonly string[]>> = {
  "@bridle/protocol": ["zod"],
  "@bridle/core": ["@opentelemetry/api"],
  "@bridle/project": ["yaml"],
};

/** The Zod copy that all built packages use. It accepts schemas of any other copy, such as the application's. */
export const sharedZod = "@bridle/protocol/zod";

/** Returns the build options that put these modules into a package. */
export function bundlingOf(name: string): Pick<InlineConfig, "deps" | "plugins"> {
  const alwaysBundle = [...(bundled[name] ?? [])];
  return {
    deps: { alwaysBundle, onlyBundle: false },
    plugins: alwaysBundle.includes("zod") ? [withoutLocales] : [usingSharedZod],
  };
}

/**
 * Returns the same options as `bundlingOf`, but for declarations. These include Zod's declarations, so that an application may have any
 * version of Zod, or none.
 */
export function typeBundlingOf(name: string): Pick<InlineConfig, "deps" | "inputOptions"> {
  const hasZod = bundled[name]?.includes("zod") ?? false;
  const own = hasZod ? zodDeclarations : usingSharedZod;
  return {
    deps: { alwaysBundle: hasZod ? ["zod"] : [], onlyBundle: false },
    inputOptions: (options) => ({ ...options, plugins: [own, options.plugins] }), // runs before tsdown's plugins, which resolve all imports
  };
}

const usingSharedZod: Plugin = {
  name: "shared-zod",
  resolveId: { order: "pre", handler: (source) => (source === "zod" ? { id: sharedZod, external: true } : null) },
};

/** Resolves Zod's declarations for ES modules. Zod's manifest lists the CommonJS declarations first, but these cannot be bundled. */
const zodDeclarations: Plugin = {
  name: "zod-declarations",
  resolveId: {
    order: "pre",
    handler: (source) =>
      source === "zod" ? { id: fileURLToPath(import.meta.resolve("zod")).replace(/\.js$/, ".d.ts") } : null,
  },
};

const noLocales = "\0no-locales";

/** Leaves out Zod's translated messages. Bridle does not use these messages, and they are half of Zod's size. */
const withoutLocales: Plugin = {
  name: "without-locales",
  resolveId: { order: "pre", handler: (source) => (source.endsWith("/locales/index.js") ? noLocales : null) },
  load: (id) => (id === noLocales ? "export {};" : null),
};
