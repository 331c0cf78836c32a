/** Questions with known answers: how often an agent is right about the data. */
export {
  type CheckedQuestions,
  checkedQuestionsSchema,
  checkQuestions,
  evaluateQuestions,
  type QuestionsPlan,
} from "./evaluate-questions.ts";
export type { QuestionSelection } from "./find-questions.ts";
