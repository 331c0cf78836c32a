/** The variable that contains the key for `auth: api_key`. */
export const userKeyVariable = "OPENAI_API_KEY";
