/** What makes a column sensitive. Names and addresses of persons, dates of birth and the like count only if you mark them. */
export type SensitiveKind =
  /** E-mail addresses, also within longer texts. */
  | "email"
  | "phone"
  | "iban"
  /** Other numbers of bank accounts, by the name of the column only. */
  | "bank_account"
  /** Numbers of credit and debit cards, and their security codes. */
  | "card"
  /** Numbers that a state gives to a person, such as a US social security number. */
  | "national_id"
  | "ip_address"
  /** Tokens, keys and other secrets of programs. */
  | "token"
  /** Passwords, and the hashes of passwords. */
  | "password";
