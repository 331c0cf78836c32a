/** A module of the user's, and how messages speak of it. */
export interface UserModule {
  /** As it was written: the path from `baseDir`, or an absolute one. */
  readonly file: string;
  readonly baseDir: string;
  /** What it is, such as "tools file". */
  readonly kind: string;
  /** Where it is named, such as "after --tools". */
  readonly where: string;
  /** The setting that names it, for errors. */
  readonly field: string;
}
