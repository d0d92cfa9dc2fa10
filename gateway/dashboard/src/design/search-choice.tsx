import { useId, useState } from 'react';

interface Option {
  readonly id: string;
  readonly name: string;
  /** Distinguishes two of the same name. */
  readonly detail: string;
}

interface SearchChoiceProps {
  readonly label: string;
  readonly placeholder?: string;
  /** The name of what is chosen already. */
  readonly chosen?: string | undefined;
  readonly options: readonly Option[];
  /** Called with what is typed, so that the options can be read. */
  readonly onSearch: (text: string) => void;
  /** Called with the id of the chosen option; with null where what is typed is none. */
  readonly onChange: (id: string | null) => void;
}

const textOf = ({ id, name, detail }: Option, options: readonly Option[]): string =>
  options.some((other) => other.id !== id && other.name === name) ? `${name} (${detail})` : name;

/** A choice of one of many: typing finds it. The list is the browser's own. */
export function SearchChoice({ label, placeholder = '', chosen = '', options, onSearch, onChange }: SearchChoiceProps) {
  const listId = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const type = (text: string) => {
    setTyped(text);
    onSearch(text);
    const id = options.find((each) => textOf(each, options) === text)?.id ?? null;
    const isNew = id !== chosenId || (text === '' && chosen !== '');
    setChosenId(id);
    if (isNew) onChange(id);
  };
  return (
    <label className="field">
      <span className="label">{label}</span>
      <input
        className="input"
        list={listId}
        autoComplete="off"
        placeholder={placeholder}
        value={typed ?? chosen}
        onChange={({ target }) => type(target.value)}
      />
      <datalist id={listId}>
        {options.map((option) => (
          <option key={option.id} value={textOf(option, options)} />
        ))}
      </datalist>
    </label>
  );
}
