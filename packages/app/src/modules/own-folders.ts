import { join } from "node:path";

/** Returns the folders of Bridle's own code. Error messages skip them and name a position in the user's files. */
export function ownFolders(packageRoot: string): readonly string[] {
  return ["bin", "src", "dist", "../app/src", "../cli/src"].map((folder) => join(packageRoot, folder, "/"));
}
