/** Finds the cubes and views in the files of a project. */
import { isPlainObject } from "@bridle/protocol";
import { ModelDocument, type ModelFile } from "@bridle/semantic/model-parts";
import { type ImportReport, refuseImport } from "../import-report.ts";
import { type CubeFiles, CubeNode } from "./cube-node.ts";
import { readCubeScript } from "./read-cube-script.ts";

export function readCubeFiles(files: readonly ModelFile[], report: ImportReport): CubeFiles {
  const read = files.map((file): CubeFiles => {
    const start = { file: file.file, line: 1, column: 1 };
    const found = report.attempt(file.file, start, () => {
      if (/[\uFFFD\0]/.test(file.text)) refuseImport("The file is not UTF-8 text. Convert it.");
      return file.file.toLowerCase().endsWith(".js") ? readCubeScript(file, report) : readCubeYaml(file, report);
    });
    return found ?? { cubes: [], views: [] };
  });
  return { cubes: read.flatMap(({ cubes }) => cubes), views: read.flatMap(({ views }) => views) };
}

function readCubeYaml({ file, text }: ModelFile, report: ImportReport): CubeFiles {
  if (/\{%/.test(text)) refuseImport("The file has statements of Jinja, which are not run. Write their results.");
  const document = ModelDocument.parse(file, text.replace(/^\uFEFF/, ""));
  const { fault } = document;
  if (fault) {
    const hint = /\{\{/.test(text) ? " It has templates of Jinja, which are not run." : "";
    report.add("refused", file, fault.message + hint, fault.position);
    return { cubes: [], views: [] };
  }
  const root = new CubeNode(readOrRefuse(document), (path) => document.at(path));
  for (const key of root.keys) {
    if (key === "cubes" || key === "views") continue;
    report.add("refused", key, "It is not known here. Remove it.", root.child(key)?.position ?? root.position);
  }
  return { cubes: root.entries("cubes"), views: root.entries("views") };
}

function readOrRefuse(document: ModelDocument): unknown {
  let value: unknown;
  try {
    value = document.read();
  } catch {
    return refuseImport("An alias in the file cannot be expanded. Write the value.");
  }
  return isPlainObject(value) ? value : {};
}
