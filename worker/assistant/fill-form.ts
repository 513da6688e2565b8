// Turns a sentence into a search form with the help of a language model.
import type { AskResponse } from '../../shared/api/search.ts';
import { type Family, families, familyNames, previewFields } from '../../shared/families/registry.ts';
import { buildAnswerJsonSchema, parseAnswer } from './answer.ts';
import { callModel } from './call-model.ts';
import { toForm } from './form.ts';
import { buildMessages } from './prompt.ts';
import type { AssistantSettings } from './settings.ts';

/**
 * Selects the forms that the model may choose from: one for each subject, because the families of a subject differ in their
 * data and not in what a sentence can say.
 * @param allowed - the families that the token may search; null is all
 * @param open - the family of the open form, which is preferred
 */
export function selectForms(allowed: readonly Family[] | null, open: Family | undefined): Family[] {
  const searchable = familyNames.filter(
    (family) => previewFields[family].length > 0 && (allowed === null || allowed.includes(family)),
  );
  const ordered = open !== undefined && searchable.includes(open) ? [open, ...searchable] : searchable;
  const bySubject = new Map<string, Family>();
  for (const family of ordered) {
    const { subject } = families[family];
    if (!bySubject.has(subject)) bySubject.set(subject, family);
  }
  return [...bySubject.values()];
}

/**
 * Fills a form. Buys nothing, and asks the model once.
 * @param forms - from {@link selectForms}, at least one
 * @throws ProblemError `assistant_unavailable`, `assistant_answer_invalid`
 */
export async function fillForm(
  settings: AssistantSettings,
  sentence: string,
  forms: readonly Family[],
  now: number,
): Promise<AskResponse> {
  const messages = buildMessages(sentence, forms, now);
  const text = await callModel(settings, messages, buildAnswerJsonSchema(forms));
  return toForm(parseAnswer(text, forms), sentence);
}
