/** The settings of sources. Imports no parser and no driver, so that every `bridle.yaml` can be read with it. */
export {
  isServiceSource,
  parseSourceSettings,
  type SourceSettings,
  sourceSecretKeys,
  sourceSettings,
} from "./sources/kinds/source-settings.ts";
