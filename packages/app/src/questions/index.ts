/** Questions with known answers, which show how often an agent's answers about the data are correct. */
export {
  type CheckedQuestions,
  checkedQuestionsSchema,
  checkQuestions,
  evaluateQuestions,
  type QuestionsPlan,
} from "./evaluate-questions.ts";
export type { QuestionSelection } from "./find-questions.ts";
