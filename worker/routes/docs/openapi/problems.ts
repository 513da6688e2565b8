// Problems as OpenAPI has them: one schema, an example of each code, and an answer for each status.
import {
  headerReferences,
  type ResponseObject,
  type Schema,
  schemaReference,
} from '../../../../shared/openapi/document.ts';
import { createProblem, isProblemCode, type ProblemCode, problems } from '../../../../shared/problems.ts';

/** RFC 9457 with a stable code and a fix. */
export const problemSchema: Schema = {
  type: 'object',
  description: 'RFC 9457, with a stable code and what to do.',
  required: ['type', 'title', 'status', 'detail', 'code', 'fix'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'urn:cdapi:problem: and the code.' },
    title: { type: 'string', description: 'What happened, the same for each problem of this code.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What exactly happened.' },
    code: { type: 'string', enum: Object.keys(problems) },
    fix: { type: 'string', description: 'What to do.' },
    instance: { type: 'string', format: 'uri', description: 'Names this one occurrence.' },
  },
};

/** A problem of each code, by its code. */
export function problemExamples(): Record<string, { summary: string; value: unknown }> {
  const codes = Object.keys(problems).filter(isProblemCode);
  return Object.fromEntries(
    codes.map((code) => [code, { summary: problems[code].title, value: createProblem(code) }]),
  );
}

/**
 * The codes of one answer, each with its sentence, as Markdown.
 */
export function formatProblems(codes: readonly ProblemCode[]): string {
  return codes.map((code) => `\`${code}\`: ${problems[code].title}`).join('\n\n');
}

/**
 * The answers of a route that are problems.
 * @param codes - of the problems
 * @returns answers by status
 */
export function problemResponses(codes: readonly ProblemCode[]): Record<string, ResponseObject> {
  const byStatus = Map.groupBy(new Set(codes), (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, own]) => {
      const only: Schema = { type: 'object', properties: { code: { type: 'string', enum: own } } };
      const media = {
        schema: { allOf: [schemaReference('Problem'), only] },
        examples: Object.fromEntries(own.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      };
      return [
        String(status),
        {
          description: formatProblems(own),
          ...(status === 429 ? { headers: headerReferences(['Retry-After']) } : {}),
          content: { 'application/problem+json': media },
        },
      ];
    }),
  );
}
