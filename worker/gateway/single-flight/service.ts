// The RPC interface of a single-flight object.
import type { DataRecord } from '../../../shared/api/common.ts';
import type { Family } from '../../../shared/families/index.ts';
import { decodeEnvelope, encodeEnvelope } from '../cache/envelope.ts';
import type { SubjectKey } from '../refusal-list/named-subjects.ts';
import type { StoredAnswer } from './storage/answer-repository.ts';
import type { CallResult, SingleFlightRequest } from './types.ts';

/** Records that a data request delivered. */
export interface DeliveredRecords {
  /** The provider's identity. */
  identity: string;
  family: Family;
  /** JSON with bigints. */
  records: DataRecord[];
  fetchedAt: number;
}

export interface EraseRequest {
  /** Of all keys. */
  pseudonyms: string[];
  /** The known keys. An erasure may know only the pseudonym of another one. */
  keys: SubjectKey[];
  /** Cache names of the known keys. */
  names: string[];
}

export interface FoundKeys {
  keys: SubjectKey[];
  pseudonyms: string[];
}

export interface ErasedCopies {
  answers: number;
  kv: number;
  /** How many of them were pages. */
  pages: number;
  /** Answers about others that were changed. */
  mentions: number;
  /** Pseudonyms of deleted records that belonged to the erased, such as posts. They are refused from now on. */
  refused: string[];
  isDone: boolean;
}

/** A shard of the single flight; `SingleFlightObject` describes the methods. */
export interface SingleFlightService {
  fetchCalls(request: SingleFlightRequest): Promise<EncodedResponse>;
  acceptAnswer(name: string, answer: StoredAnswer): void;
  storeRecords(delivery: DeliveredRecords): Promise<void>;
  refuse(request: EraseRequest): Promise<FoundKeys>;
  erase(request: EraseRequest): Promise<ErasedCopies>;
  allow(pseudonyms: string[]): Promise<void>;
  deleteAnswer(name: string): Promise<void>;
  cancelCalls(team: string, cancelId: string): number;
}

type WithText<Result> = Result extends { envelope: unknown }
  ? Omit<Result, 'envelope'> & { text: string }
  : Result;

export type EncodedResult = WithText<CallResult>;

/** An encoded {@link SingleFlightResponse}. */
export interface EncodedResponse {
  rows: EncodedResult[];
}

/** Encodes a result for RPC. An envelope travels as its text, which is cached when written and parsed only when read. */
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
