// Describes why a body is not JSON, as the service does: by the position of the syntax error.
import { visit } from 'jsonc-parser';

const STRICT = { disallowComments: true, allowTrailingComma: false } as const;

/** A validation error of the service for a body that is empty or not JSON. */
export interface JsonIssue {
  loc: (string | number)[];
  msg: string;
  type: string;
  ctx?: { msg: string; pos: number; lineno: number; colno: number };
}

/** Returns the position of the first syntax error, or the end of the text if the parser can't say. */
function findSyntaxError(text: string): number {
  let fault = text.length;
  try {
    visit(text, { onError: (_error, offset) => (fault = Math.min(fault, offset)) }, STRICT);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return fault;
}

export function describeJsonIssue(text: string): JsonIssue {
  if (text.trim() === '') return { loc: ['body'], msg: 'field required', type: 'value_error.missing' };
  const pos = findSyntaxError(text);
  const before = text.slice(0, pos).split('\n');
  const [lineno, colno] = [before.length, (before.at(-1)?.length ?? 0) + 1];
  const msg = 'Expecting value';
  return {
    loc: ['body', pos],
    msg: `${msg}: line ${lineno} column ${colno} (char ${pos})`,
    type: 'value_error.jsondecode',
    ctx: { msg, pos, lineno, colno },
  };
}
