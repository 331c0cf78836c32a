import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The package's browser variant decodes `&amp;` with `innerHTML`, which the page's content security policy refuses. */
const withoutDocument = ["decode-named-character-reference"];

/** The page requests its files by relative URLs, so that it works with any base path. */
export default defineConfig({
  base: "./",
  plugins: [react()],
  resolve: {
    conditions: ["@bridle/source", "module", "browser"],
    alias: Object.fromEntries(withoutDocument.map((name) => [name, fileURLToPath(import.meta.resolve(name))])),
  },
  worker: { format: "es" },
  build: {
    outDir: "dist",
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
