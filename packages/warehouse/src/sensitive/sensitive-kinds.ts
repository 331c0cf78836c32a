/**
 * The kinds of sensitive columns. Names and addresses of people, dates of birth and similar data only count as sensitive if you mark them.
 */
export type SensitiveKind =
  /** E-mail addresses, including those in longer texts. */
  | "email"
  | "phone"
  | "iban"
  /** Other bank account numbers, recognised by the column's name only. */
  | "bank_account"
  /** Numbers of credit and debit cards, and their security codes. */
  | "card"
  /** National identification numbers, such as a US social security number. */
  | "national_id"
  | "ip_address"
  /** Tokens, keys and other secrets of programs. */
  | "token"
  /** Passwords, and the hashes of passwords. */
  | "password";
