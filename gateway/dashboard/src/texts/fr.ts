import type { Texts } from './en.ts';
import { authentication } from './fr/authentication.ts';
import { keys } from './fr/keys.ts';
import { shell } from './fr/shell.ts';

export const fr: Texts = {
  ...authentication,
  ...keys,
  ...shell,
};
