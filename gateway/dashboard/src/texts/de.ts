import { authentication } from './de/authentication.ts';
import { keys } from './de/keys.ts';
import { shell } from './de/shell.ts';
import type { Texts } from './en.ts';

export const de: Texts = {
  ...authentication,
  ...keys,
  ...shell,
};
