"""verify_proof.py PROOF... --policy POLICY: checks proofs by the rules of docs/proofs.md, with nothing but Python 3.9 or newer.
POLICY says whose signatures count: "witness policy" on the site writes one. It may also be the first file, or the last.
Exit status: 0 if all files are accepted, 1 if one is refused, 2 if a file cannot be read, or the policy is malformed."""
import base64, hashlib, itertools, json, re, sys, time
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493  # RFC 8032, section 5.1: the field, and the order of B
D, ROOT = -121665 * pow(121666, -1, P) % P, pow(2, (P - 1) // 4, P)
MAX, YEAR_10000, DEPTH, NAME, SALT = 2**53 - 1, 253402300800, 600, r'[^\s+]+', '[0-9a-f]{32}'
FILE = {'format': str, 'checkpoint': str, 'before': (None, {'checkpoint': str, 'consistency': [str]}),
        'events': [{'row': str, 'sealed': (None, {'salt': str, 'text': str}, {'fields': [[str]]}), 'proof': [str]}], 'sha256': str}
S, N = r'"(?:[^"\\]|\\.)*"', '(?:0|[1-9][0-9]{0,15})'
ROW = rf'\["palimpsest event 1",{N},{S},{N},{S},{N},{S},{S},{N},{N},{S},(null|{N}),{S},(null|{S}),{S},(null|"[0-9a-f]{{64}}")\]'
CHECKPOINT = rf'(([^\n]+)\n({N})\n([^\n]+)\n)\n((?:— {NAME} [^ =\n]{{7,}}=*\n){{1,64}})'
POLICY = (rf'(log|witness ([^ ]+)) ({NAME})\+([0-9a-f]{{8}})\+([^ ]+)( [^ ]+)?',
          r'group ([^ ]+) (any|all|[1-9][0-9]{0,5})(( [^ ]+)+)', r'quorum ([^ ]+)', '(#.*)?')
def need(holds, why):
    if not holds: raise ValueError(why)
def sha(data): return hashlib.sha256(data).digest()
def node(left, right): return sha(b'\1' + left + right)
# Ed25519 without cofactor: R has to be the very bytes that S and the key lead to.
def add(p, q):
    t = D * p[0] * q[0] * p[1] * q[1] % P
    z = pow(1 - t * t, -1, P)
    return (p[0] * q[1] + q[0] * p[1]) * (1 - t) * z % P, (p[1] * q[1] + p[0] * q[0]) * (1 + t) * z % P
def small(p): q = add(p, p); q = add(q, q); return add(q, q) == (0, 1)
def point(data):
    sign, y = divmod(int.from_bytes(data, 'little'), 2**255)
    xx = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(xx, (P + 3) // 8, P)
    if x * x % P != xx: x = x * ROOT % P
    return (x if x & 1 == sign else -x % P, y % P) if x * x % P == xx else None
BASE = point((4 * pow(5, -1, P) % P).to_bytes(32, 'little'))
def ed25519(key, message, signature):
    a, s = point(key), int.from_bytes(signature[32:], 'little')
    if a is None or small(a) or len(signature) != 64 or s >= L: return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), 'little') % L
    total, *_ = steps = (0, 1), BASE, (-a[0], a[1]), add(BASE, (-a[0], a[1]))
    for bit in range(252, -1, -1): total = add(add(total, total), steps[(s >> bit & 1) + 2 * (k >> bit & 1)])  # S·B − k·A
    return (total[1] + (total[0] & 1) * 2**255).to_bytes(32, 'little') == signature[:32] and not small(total)
# Trees: what sections 2.1.3.1 and 2.1.4.1 of RFC 9162 put together, taken apart from its end: the roots of both sizes.
def roots(size1, size2, proof, known, is_leaf):
    if size2 == 1 if is_leaf else size1 == size2: return ([known, *proof] if known else proof) * 2
    k, rest, last = 2 ** ((size2 - 1).bit_length() - 1), proof[:-1], need(proof, 'a proof is too short') or proof[-1]
    is_left = size1 <= k
    inner = (size1, k, rest, known) if is_left else (size1 - k, size2 - k, rest, known if is_leaf else None)
    first, second = roots(*inner, is_leaf)
    return [first, node(second, last)] if is_left else [node(last, first), node(last, second)]
def includes(leaf, index, size, root, proof): return index < size and roots(index + 1, size, proof, leaf, True)[1:] == [root]
def continues(size1, root1, size2, root2, proof):
    if size1 == 0 and (size2 or root1 != sha(b'')): return not proof and root1 == sha(b'')
    return size1 <= size2 and roots(size1, size2, proof, root1, False) == [root1, root2]
def parse(text):
    def unique(pairs): return need(len(dict(pairs)) == len(pairs), 'JSON names a member twice') or dict(pairs)
    return json.loads(text, object_pairs_hook=unique, parse_constant=int,  # int() refuses NaN
                      parse_int=lambda digits: int(digits) if len(digits) < 18 else float(digits))
def members(text):
    level = (1 if bracket in '[{' else -1 for bracket in re.findall(r'[][{}]', re.sub(r'"(\\.|[^"\\])*"', '', text)))
    return need(max(itertools.accumulate(level), default=0) <= DEPTH and like(parse(text), dict), 'malformed data') or parse(text)
def like(value, form):
    if type(form) is tuple: return any(like(value, one) for one in form)
    if type(form) is list: return type(value) is list and all(like(one, form[0]) for one in value)
    if type(form) is not dict: return value is None if form is None else type(value) is form
    return type(value) is dict and list(value) == list(form) and all(like(value[name], form[name]) for name in form)
def unbase64(text, length=None):
    data = base64.b64decode(text, validate=True)
    return need(base64.b64encode(data).decode() == text and length in (None, len(data)), 'malformed base64') or data
def digests(texts): return [unbase64(text, 32) for text in texts]
# The sealed fields of an event that a file opens, and the names of those that it does not.
def opening(sealed, digest, data):
    if not sealed: return {}, ['its sealed fields'] if digest else []
    if 'text' in sealed:
        salt, text = sealed.values()
        is_own = '$seals' not in data and re.fullmatch(SALT, salt) and sha((salt + text).encode()).hex() == digest
        return need(is_own, 'a sealed text differs') or members(text), []
    fields, shown = sealed['fields'], [field for field in sealed['fields'] if len(field) == 3]
    need(digest and all(2 <= len(field) <= 3 for field in fields) and all(re.fullmatch(SALT, salt) for _, salt, _ in shown), 'malformed')
    digests = [[name, rest[0] if len(rest) == 1 else sha((rest[0] + sha(rest[1].encode()).hex()).encode()).hex()] for name, *rest in fields]
    is_own = sha(json.dumps(digests, separators=(',', ':'), ensure_ascii=False).encode()).hex() == data.get('$seals')
    need(is_own and len({name for name, *_ in fields}) == len(fields), 'the sealed fields differ')
    opened = members('{' + ','.join(f'{json.dumps(name)}:{text}' for name, _, text in shown) + '}')
    return need(len(opened) == len(shown), 'a sealed field is several') or opened, [field[0] for field in fields if len(field) == 2]
# C2SP: signed-note, tlog-checkpoint, tlog-policy and tlog-cosignature.
def checkpoint(note):
    parts = re.fullmatch(CHECKPOINT, note)
    need(parts and int(parts[3]) <= MAX and not re.search(r'[\0-\x09\x0b-\x1f]', note), 'a checkpoint is malformed')
    signatures = [(name, unbase64(data)) for _, name, data in (line.split(' ') for line in parts[5].split('\n')[:-1])]
    return parts[1], parts[2], signatures, (int(parts[3]), unbase64(parts[4], 32))
def policy(data):
    need(not re.search(rb'[^\t\n\x20-\x7e\x80-\xff]', data), 'it has control characters')
    keys, rules, grouped, quorum = {}, {'none': None}, {'none'}, None
    for line in (' '.join(re.findall(r'[^ \t]+', line)) for line in data.decode('utf-8', 'replace').split('\n')):
        key, group, chosen, comment = (re.fullmatch(form, line) for form in POLICY)
        need(key or group or chosen or comment, line)
        if key:
            role, name, data = key[1].split(' ')[0], key[2], unbase64(key[5])
            is_twice = (role, data[1:]) in [(other, one[1:]) for (other, *_), (one, _) in keys.items()]
            is_key = (len(data) == 33 or data[0] not in (1, 4) and len(data) > 1) and (role, data[0]) != ('witness', 1)
            need(is_key and not is_twice and sha(f'{key[3]}\n'.encode() + data)[:4].hex() == key[4], line)
            keys.setdefault((role, key[3], bytes.fromhex(key[4])), (data, name))
        elif group:
            name, least, of = group[1], group[2], group[3][1:].split(' ')
            least = 1 if least == 'any' else len(of) if least == 'all' else int(least)
            need(least <= len(of) == len(set(of) - grouped) and set(of) <= set(rules), line)
            grouped |= set(of)
        elif chosen: quorum = need(quorum is None and chosen[1] in rules, line) or chosen[1]
        if group or key and name: rules[name] = need(name not in rules, line) or (group and (least, of))
    need(quorum and any(role == 'log' for role, *_ in keys), 'it has no quorum, or no log')
    return keys, rules, quorum, rules[quorum][1] if rules[quorum] else [quorum] if quorum != 'none' else rules.keys() - grouped
def witnessed(name, rules, by):
    return name in by if not rules[name] else sum(witnessed(one, rules, by) for one in rules[name][1]) >= rules[name][0]
def signers(role, keys, text, origin, signatures):
    found = {}
    for name, data in signatures:
        key, witness = keys.get((role, name, data[:4]), (b'\0', None))
        if key[0] not in (1, 4) or role == 'log' and name != origin: continue
        start, at = (4, 0) if key[0] == 1 else (12, int.from_bytes(data[4:12], 'big'))
        message = text if key[0] == 1 else f'cosignature/v1\ntime {at}\n{text}'
        holds = at < YEAR_10000 and ed25519(key[1:], message.encode(), data[start:]) and (name, data[:4]) not in found
        found[name, data[:4]] = need(holds, f'a signature of {name} is false, or the second one') or (witness, at)
    return found

def check(file, keys, rules, quorum, top):
    def written(value): return (json.dumps(value, indent=2, ensure_ascii=False) + '\n').encode()
    proof = parse(file.decode())
    need(like(proof, FILE) and proof['format'] == 'palimpsest proof 1' and proof['events'], 'it has other members than a proof')
    bare = written({name: proof[name] for name in list(FILE)[:-1]})
    need(written(proof) == file and sha(bare).hex() == proof['sha256'], 'it is not written as proofs are, or damaged')
    *note, log = checkpoint(proof['checkpoint'])
    logs, by = signers('log', keys, *note), signers('witness', keys, *note)
    names = {witness for witness, _ in by.values()}
    need(logs and (quorum == 'none' or witnessed(quorum, rules, names)), f'signatures for the log {note[1]} are missing')
    yield f'The log {note[1]} has signed its first {log[0]} events.'
    yield from (f'Witness {name} has cosigned on {time.asctime(time.gmtime(at))} UTC.' for name, at in by.values())
    yield f'Witnesses: {len(by)}. Organisations: {sum(witnessed(one, rules, names) for one in top)}.'
    for name, data in note[2]:
        if (name, data[:4]) in {**logs, **by}: continue
        yield f'Not checked: a signature of {name}.'
        if keys.get(('log', name, data[:4]), (b'\0',))[0][0] == 6: yield '    It is a second one, against quantum computers (ML-DSA-44).'
    if proof['before']:
        *earlier, before = checkpoint(proof['before']['checkpoint'])
        need(earlier[1] == note[1] and signers('log', keys, *earlier), 'the log has not signed the earlier checkpoint')
        need(continues(*before, *log, digests(proof['before']['consistency'])), 'the log does not continue the earlier one')
        yield f'It continues the log of its first {before[0]} events.'
    last, revisions, counts = 0, {}, {}
    for row, sealed, path in map(dict.values, proof['events']):
        values = parse(row)
        is_row = re.fullmatch(ROW, row) and json.dumps(values, separators=(',', ':'), ensure_ascii=False) == row
        need(is_row and max(one for one in values if type(one) is int) <= MAX, 'a row is malformed')
        position, stream, revision, kind, _, _, _, _, _, at, user, _, _, data, digest = values[1:]
        leaf = sha(b'\0' + sha(row.encode()))
        need(position > 0 < revision and includes(leaf, position - 1, *log, digests(path)), f'event {position} is not in the log')
        need(position > last and revisions.get(stream, revision - 1) == revision - 1, f'an event before {position} is missing')
        last, revisions[stream] = position, revision
        yield f'Event {position} is number {revision} of {stream}: {kind}, recorded on {at} by user {user}.'
        opened, hidden = opening(sealed, digest, members(data))
        for name in opened: counts[name] = counts.get(name, 0) + 1
        yield from (f'    {name}: {value!r}' for name, value in [*members(data).items(), *opened.items()] if name != '$seals')
        if hidden: yield f'    Not shown: {", ".join(hidden)}.'
    yield f'Sealed fields that this file opens, and in how many events: {", ".join(f"{name} ({n})" for name, n in counts.items()) or "none"}.'
    yield from (f'No other event of {stream} lies between these. What came later is not shown.' for stream in revisions)

if __name__ == '__main__':
    paths = [path for path in sys.argv[1:] if path != '--policy']
    if {'--help', '-h'} & set(paths): sys.exit(print(__doc__))
    try:
        files = [open(path, 'rb').read() for path in paths]
        at = sys.argv.index('--policy') - 1 if '--policy' in sys.argv else -1 if files[0].lstrip()[:1] == b'{' else 0
        rules, name = files.pop(at), paths.pop(at)
    except (OSError, IndexError) as error: sys.exit(print(__doc__, error, sep='\n') or 2)
    try: trusted = policy(rules)
    except ValueError as error: sys.exit(print(__doc__, f'{name} is no policy: {error}', sep='\n') or 2)
    status = 0 if files and not sys.stdout.reconfigure(encoding='utf-8') else print('A proof is missing.') or 2
    for path, file in zip(paths, files):
        try: lines = ['accepted', *check(file, *trusted)]
        except (ValueError, RecursionError) as error: lines, status = [f'refused: {error}'], 1
        for line in [f'{path}: {lines[0]}', *lines[1:]]: print(''.join(c if c.isprintable() else ascii(c)[1:-1] for c in line))
    sys.exit(status)
