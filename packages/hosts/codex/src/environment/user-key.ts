/** The variable with the key of `auth: api_key`. */
export const userKeyVariable = "OPENAI_API_KEY";
