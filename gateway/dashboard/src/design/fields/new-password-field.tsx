import { useLanguage } from '../../texts/language.tsx';
import { type FieldProblem, TextField } from './fields.tsx';

/** Characters that a password has at least. */
const LEAST_PASSWORD = 10;

interface NewPasswordFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (password: string) => void;
  /** The error of the field in the answer of the API. */
  readonly error: FieldProblem | undefined;
}

/** A field for a password that is to be set. */
export function NewPasswordField(props: NewPasswordFieldProps) {
  const { t } = useLanguage();
  return (
    <TextField
      {...props}
      description={t('auth.passwordHint', { count: LEAST_PASSWORD })}
      type="password"
      name="password"
      autoComplete="new-password"
      isRequired
    />
  );
}
