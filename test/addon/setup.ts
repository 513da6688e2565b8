// Resets the gateway before each test. Files share modules, so a hook of a helper would run in the first file alone.
import { beforeEach } from 'vitest';
import { gateway } from './server/sidebar.ts';

beforeEach(() => gateway.reset());
