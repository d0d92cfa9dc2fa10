import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox } from 'react-aria-components/Checkbox';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from 'react-aria-components/TextField';
import { useLanguage } from '../../texts/language.tsx';
import type { Rejection } from '../../texts/reasons.ts';

/** The error of a value: a text of the page, or an error of the API. */
export type FieldProblem = string | Rejection;

interface Described {
  readonly label: string;
  readonly description?: ReactNode;
  /** Shown below the field. */
  readonly error?: FieldProblem | undefined;
}

interface TextFieldProps extends Described, Omit<AriaTextFieldProps, 'children' | 'className' | 'style'> {
  readonly placeholder?: string;
  readonly rows?: number;
  readonly mono?: boolean;
}

/** The error of a value in the language of the user. */
export function Problem({ of }: { of: FieldProblem }) {
  const { rejected } = useLanguage();
  return typeof of === 'string' ? of : rejected(of);
}

/** A field for one text; with `rows` for several lines. */
export function TextField({ label, description, error, placeholder, rows, mono, ...props }: TextFieldProps) {
  const className = `input${mono ? ' mono' : ''}`;
  return (
    <AriaTextField {...props} className="field" isInvalid={error !== undefined} validationBehavior="aria">
      <Label className="label">{label}</Label>
      {rows ? (
        <TextArea className={className} rows={rows} placeholder={placeholder ?? ''} />
      ) : (
        <Input className={className} placeholder={placeholder ?? ''} />
      )}
      {description && (
        <Text slot="description" className="hint">
          {description}
        </Text>
      )}
      <FieldError className="field-error">{error !== undefined && <Problem of={error} />}</FieldError>
    </AriaTextField>
  );
}

interface CheckboxProps {
  readonly children: ReactNode;
  readonly isSelected?: boolean;
  readonly onChange?: (isSelected: boolean) => void;
  readonly isDisabled?: boolean;
  readonly name?: string;
  readonly value?: string;
}

/** A box to tick. */
export function Checkbox({ children, ...props }: CheckboxProps) {
  return (
    <AriaCheckbox {...props} className="checkbox">
      <span className="checkbox-box" aria-hidden="true">
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="m3.5 8.5 3 3 6-7" fill="none" stroke="currentColor" strokeWidth="2" />
        </svg>
      </span>
      <span>{children}</span>
    </AriaCheckbox>
  );
}

interface ChoiceProps<T extends string> extends Described {
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly isDisabled?: boolean;
  readonly hideLabel?: boolean;
}

/** A choice of one of several values: the browser's own list, which every device shows in the way that its user knows. */
export function Choice<T extends string>({ label, description, error, options, hideLabel, ...props }: ChoiceProps<T>) {
  const { value, onChange, isDisabled = false } = props;
  return (
    <label className="field">
      <span className={hideLabel ? 'visually-hidden' : 'label'}>{label}</span>
      <select
        className="input select"
        value={value}
        disabled={isDisabled}
        aria-invalid={error !== undefined}
        onChange={({ target }) => onChange(target.value as T)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {description && <span className="hint">{description}</span>}
      {error !== undefined && (
        <span className="field-error">
          <Problem of={error} />
        </span>
      )}
    </label>
  );
}
