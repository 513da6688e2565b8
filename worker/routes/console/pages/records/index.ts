// The section of records: look-up, refresh and erasure.
import type { Action, Page } from '../../context.ts';
import { eraseActions, erasePages } from './erase.tsx';
import { erasureListPages } from './erasures.tsx';
import { lookupActions, lookupPage } from './lookup.tsx';

export const recordPages: readonly Page[] = [lookupPage, ...erasureListPages, ...erasePages];
export const recordActions: readonly Action[] = [...lookupActions, ...eraseActions];
