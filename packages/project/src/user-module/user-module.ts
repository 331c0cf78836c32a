/** A module of the user, with its description in messages. */
export interface UserModule {
  /** The path as the user wrote it: absolute, or relative to `baseDir`. */
  readonly file: string;
  readonly baseDir: string;
  /** The kind of file, such as "tools file". */
  readonly kind: string;
  /** The place that names it, such as "after --tools". */
  readonly where: string;
  /** The setting that names it, for errors. */
  readonly field: string;
}
