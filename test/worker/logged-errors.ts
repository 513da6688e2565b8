// Captures the error log of a test.
import { onTestFinished, vi } from 'vitest';

/** Captures error lines until the test ends, instead of printing them. @returns a list that grows with each line */
export function captureErrorLog(): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  const log = vi
    .spyOn(console, 'error')
    .mockImplementation((line) => void lines.push(JSON.parse(String(line))));
  onTestFinished(() => log.mockRestore());
  return lines;
}
