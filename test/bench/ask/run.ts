// Asks the model of the environment about each sentence, with the prompt and the checks of the gateway.
import pMap from 'p-map';
import * as z from 'zod';
import { buildAnswerJsonSchema, parseAnswer } from '../../../worker/assistant/answer.ts';
import { callModel } from '../../../worker/assistant/call-model.ts';
import { selectForms } from '../../../worker/assistant/fill-form.ts';
import { toForm } from '../../../worker/assistant/form.ts';
import { buildMessages } from '../../../worker/assistant/prompt.ts';
import { type AssistantSettings, requireAssistantSettings } from '../../../worker/assistant/settings.ts';
import { ProblemError } from '../../../worker/http/problem-error.ts';
import type { Task, VariantModule } from '../harness/bench.ts';
import { type AskCase, askCases, TODAY } from './requests.ts';
import { type AskFigures, addScore, createFigures } from './score.ts';

const CONCURRENCY = 4;
const parametersSchema = z.object({ count: z.number() });

/** A local model is allowed: whoever runs a bench chooses where the sentences go. */
const readSettings = (): AssistantSettings => {
  const { ASSISTANT_MODEL = '', ASSISTANT_URL = '', ASSISTANT_KEY = '' } = process.env;
  return requireAssistantSettings({ ASSISTANT_MODEL, ASSISTANT_URL, ASSISTANT_KEY }, true);
};

async function measureCase(settings: AssistantSettings, each: AskCase, figures: AskFigures): Promise<void> {
  const forms = selectForms(null, each.family);
  try {
    const messages = buildMessages(each.sentence, forms, TODAY);
    const answer = parseAnswer(await callModel(settings, messages, buildAnswerJsonSchema(forms)), forms);
    figures.refused += toForm({ ...answer, left_out: [] }, each.sentence).left_out.length;
    addScore(figures, each, toForm(answer, each.sentence));
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    addScore(figures, each, undefined);
    figures[error.problem.code === 'assistant_answer_invalid' ? 'unusable' : 'unanswered'] += 1;
  }
}

export const variant: VariantModule = {
  missing: async () => {
    try {
      readSettings();
      return undefined;
    } catch (error) {
      if (error instanceof ProblemError)
        return `It needs ASSISTANT_URL, ASSISTANT_MODEL and ASSISTANT_KEY. ${error.message}`;
      throw error;
    }
  },
  measure: async ({ parameters }: Task) => {
    const { count } = parametersSchema.parse(parameters);
    const settings = readSettings();
    const figures = createFigures();
    // A short run takes sentences of all families.
    const step = Math.max(1, Math.floor(askCases.length / count));
    const chosen = askCases.filter((_, at) => at % step === 0).slice(0, count);
    await pMap(chosen, (each) => measureCase(settings, each, figures), { concurrency: CONCURRENCY });
    return figures;
  },
};
