/** A module of the user, with its description in messages. */
export interface UserModule {
  /** The path as the user wrote it, which is absolute or relative to `baseDir`. */
  readonly file: string;
  readonly baseDir: string;
  /** The kind of file, such as "tools file". */
  readonly kind: string;
  /** The place where the user named the file, such as "after --tools". */
  readonly where: string;
  /** The setting that names the file, for errors. */
  readonly field: string;
}
