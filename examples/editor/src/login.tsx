import { Button, Notice, TextControl } from '@wordpress/components';
import { type FormEvent, useState } from 'react';
import { logIn, type Refused } from './interface.ts';

export function LogIn() {
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    logIn(login, password).then(
      () => location.reload(),
      (refused: Refused) => setProblem(refused.message),
    );
  };
  return (
    <form className="login" onSubmit={submit}>
      <h1>Palimpsest</h1>
      {problem !== '' && (
        <Notice status="error" isDismissible={false}>
          {problem}
        </Notice>
      )}
      <TextControl label="Login" value={login} onChange={setLogin} autoComplete="username" required />
      <TextControl
        label="Application password"
        type="password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        help="The first start of the store printed one. It is kept until you close this tab."
        required
      />
      <Button variant="primary" type="submit">
        Log in
      </Button>
    </form>
  );
}
