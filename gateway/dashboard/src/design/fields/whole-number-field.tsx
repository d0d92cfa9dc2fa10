import { useLanguage } from '../../texts/language.tsx';
import { type FieldProblem, TextField } from './fields.tsx';
import { wholeOf } from './whole-number.ts';

interface WholeNumberFieldProps {
  readonly label: string;
  readonly description?: string;
  /** The text as typed. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The error of the field in the answer of the API. */
  readonly error: FieldProblem | undefined;
  readonly isReadOnly?: boolean;
}

/** A field for a whole number that is not negative. It says when what is typed is none; `wholeOf` is null then. */
export function WholeNumberField({ error, ...props }: WholeNumberFieldProps) {
  const { t } = useLanguage();
  const isWhole = wholeOf(props.value) !== null;
  return <TextField {...props} inputMode="numeric" error={isWhole ? error : t('field.noWholeNumber')} />;
}
