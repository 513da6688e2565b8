// Encodes results for RPC. An envelope travels as its text, which is cached when written and parsed only when read.
import { decodeEnvelope, encodeEnvelope } from '../cache/envelope.ts';
import type { CallResult } from './types.ts';

type WithText<Result> = Result extends { envelope: unknown }
  ? Omit<Result, 'envelope'> & { text: string }
  : Result;

export type EncodedResult = WithText<CallResult>;

/** An encoded {@link SingleFlightResponse}. */
export interface EncodedResponse {
  rows: EncodedResult[];
}

export function encodeResult(result: CallResult): EncodedResult {
  if (!('envelope' in result)) return result;
  const { envelope, ...others } = result;
  return { ...others, text: encodeEnvelope(envelope) };
}

/** Decodes a result. @throws Error if its envelope is invalid, which no single-flight object writes */
export function decodeResult(result: EncodedResult): CallResult {
  if (!('text' in result)) return result;
  const { text, ...others } = result;
  // The caller decides whether an expired answer is of use.
  const envelope = decodeEnvelope(text, Number.NEGATIVE_INFINITY);
  if (envelope === undefined) throw new Error('A single-flight object returned an invalid envelope.');
  return { ...others, envelope };
}
