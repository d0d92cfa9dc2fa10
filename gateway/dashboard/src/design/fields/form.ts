import { type FormEvent, useState } from 'react';

/**
 * The fields of a form as they are typed, how one of them changes, how all become those at first again, and what happens when it
 * is sent.
 * @param start - the values at first, or how they are made.
 * @param send - gets the values when the form is sent, whichever way.
 */
export function useForm<V extends object>(start: V | (() => V), send: (values: V) => void) {
  const [values, setValues] = useState(start);
  const set = (changes: Partial<V>) => setValues((before) => ({ ...before, ...changes }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(values);
  };
  const reset = () => setValues(start);
  return { values, set, reset, submit };
}
