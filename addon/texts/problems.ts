// Problems of the gateway in the person's language: by their code, with what a detail says beyond it.
import { type ProblemCode, problems } from '../../shared/problems.ts';
import { t, translate, translateMessage } from './texts.ts';

/**
 * Says what happened and what to do.
 * @param problem - its `code`; `detail` and `fix` replace the sentences of the code
 */
export function translateProblem(problem: {
  code: ProblemCode;
  detail?: string | undefined;
  fix?: string | undefined;
}): string {
  const { title, fix } = problems[problem.code];
  const { detail = title, fix: ownFix = fix } = problem;
  const what =
    translateMessage(detail) ??
    (detail.startsWith(title)
      ? `${translate(title)}${detail.slice(title.length)}`
      : `${translate(title)} ${t('The gateway says: “{detail}”', { detail })}`);
  return `${what} ${translateMessage(ownFix) ?? translate(fix)}`;
}
