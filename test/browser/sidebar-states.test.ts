// Typical states of the sidebar's tabs, light and dark.
import { states, testStates } from './sidebar-state-list.ts';

testStates(states.filter(({ isTypical }) => isTypical));
