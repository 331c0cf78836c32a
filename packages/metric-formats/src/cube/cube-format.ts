import { isPlainObject } from "@bridle/protocol";
import type { ModelFile } from "@bridle/semantic/model-parts";
import type { MetricFormat } from "../metric-format.ts";
import { yamlRoots } from "../yaml-roots.ts";
import { importCube } from "./import-cube.ts";

/** Cube's cubes, in YAML and JavaScript. */
export const cubeFormat: MetricFormat = {
  id: "cube",
  endings: [".yml", ".yaml", ".js"],
  recognises: (file) => (file.file.toLowerCase().endsWith(".js") ? hasCall(file) : hasCubes(file)),
  read: (files, options) => importCube(files, options),
};

function hasCall({ text }: ModelFile): boolean {
  return /^(cube|view)\s*\(\s*[`'"]/m.test(text);
}

function hasCubes(file: ModelFile): boolean {
  const roots = yamlRoots(file);
  const isCubes = roots.some(
    ({ value }) => isPlainObject(value) && (Array.isArray(value.cubes) || isViews(value.views)),
  );
  // Jinja templates may not be valid YAML.
  return isCubes || (roots.length === 0 && /^cubes:/m.test(file.text));
}

function isViews(views: unknown): boolean {
  return Array.isArray(views) && views.some((each) => isPlainObject(each) && Array.isArray(each.cubes));
}
