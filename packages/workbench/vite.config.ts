import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The page asks for its files beside itself, so that it works below any base path. */
export default defineConfig({
  base: "./",
  plugins: [react()],
  resolve: { conditions: ["@bridle/source", "module", "browser"] },
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
