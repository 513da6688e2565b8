// Recognises the built second script, which a thread can compile once for all executions.

/** A script that only declares a variable and returns its value: without the variable, its value is the same. */
const SECOND_SCRIPT = /^"use strict";var (\w+)=(\(\(\)=>\{[\s\S]*\}\)\(\));\s*\1;\s*$/;

/** Returns the expression of which a script that is built like the second one has the value; undefined for any other text. */
export function toExpression(script: string): string | undefined {
  return SECOND_SCRIPT.exec(script)?.[2];
}
