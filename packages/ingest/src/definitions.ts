/** The settings of sources. Imports no parser and no driver, so that it can be used to read every `bridle.yaml`. */
export {
  isServiceSource,
  parseSourceSettings,
  type SourceSettings,
  sourceSecretKeys,
  sourceSettings,
} from "./sources/kinds/source-settings.ts";
