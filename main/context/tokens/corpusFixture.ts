// Texts in the languages and formats that estimates are held to (N10): written for this, none of them among those the prices were fitted to.
import { createHash } from 'node:crypto';

const english = `The harbour was quiet when the last ferry left. Two men were still loading crates onto the quay, and a boy sat on a bollard with a
radio that played nothing but static. "They will not come tonight," said the older of the two, and he pulled his cap further down. Nobody answered.

When you write a test, write down first what would have to break for it to fail. A test that cannot fail is decoration: it costs time on every run
and tells you nothing. Prefer a real database to a mock, a real file to a string, and an event to a timeout. If the suite is slow, measure before
you cut; most of the seconds are usually spent in one place.

Could you summarise what we agreed on yesterday? I remember that the importer should skip conversations it has seen before, that branches keep their
order, and that attachments which cannot be found are named in the report rather than dropped without a word. I am not sure whether we wanted to ask
before replacing a newer copy. Also, the second column of the table looked wrong to me: 48 of 120 is 40 percent, isn't it?

The chemistry is simple enough. Heat drives off the water, the sugars brown, and after about twenty minutes the crust is hard enough to carry the
loaf's own weight. What is difficult is knowing when to stop, because an oven never tells you what it is really doing.`;

const russian = `Утром в понедельник снег ещё лежал на крышах, но во дворе уже бежали ручьи. Старая соседка вышла на крыльцо, посмотрела на небо и сказала,
что зима кончилась. Мы ей не поверили: в прошлом году она говорила то же самое в феврале, а потом морозы стояли до апреля.

Прежде чем менять схему базы данных, сделайте резервную копию и проверьте, что её действительно можно восстановить. Миграция выполняется в одной
транзакции; если что-то пойдёт не так, программа вернёт прежнее состояние и сообщит об ошибке. Большие таблицы обновляются по частям, чтобы интерфейс
не замирал. Время работы зависит от диска и от количества сообщений.

Можешь объяснить, почему запрос выполняется так долго? Я добавил индекс по дате, но планировщик всё равно читает таблицу целиком. Может быть, дело в
том, что условие записано через функцию? Если так, то как лучше переписать его, чтобы ничего не сломать в отчётах за прошлый квартал?

Рецепт простой: две чашки муки, стакан тёплого молока, ложка сахара и немного соли. Тесто должно постоять около часа под полотенцем. Потом его делят на
восемь частей, раскатывают и пекут на сухой сковороде, переворачивая один раз.`;

const chinese = `昨天晚上下了一场大雨，今天早晨空气特别清新。公园里有人在打太极拳，也有人在湖边慢跑。卖早点的老王说，天气好的时候生意也好，
豆浆和油条不到八点就卖完了。

如果程序在保存文件时突然断电，磁盘上必须仍然是旧的内容或者完整的新内容，绝不能只写了一半。常见的做法是先写到同一个目录下的临时文件，
刷新到磁盘之后再改名。改名这个操作在大多数文件系统上是原子的，但是目录本身也需要刷新，否则断电以后新的名字可能会丢失。

请帮我看一下这段代码为什么会报错。我已经检查过参数的类型，也确认服务器返回了正确的结果，但是页面上始终显示“加载失败”。是不是因为请求超时的时间
设置得太短了？如果需要修改配置，应该在哪个文件里改？

他从来没有想过要离开这座城市。年轻的时候，朋友们一个接一个地去了南方，写信回来说那里的机会多、房子也大。可是每当他走过那条种满梧桐树的老街，
听见熟悉的叫卖声，就觉得自己哪里也不想去。`;

const japanese = `駅前の小さな喫茶店は、朝七時に開く。常連の客は新聞を広げ、黙ってコーヒーを飲む。店主は誰が何を注文するか、もう全部覚えているらしい。
雨の日だけは客が少なく、窓ぎわの席で猫が眠っている。

設定を変更する前に、必ず現在の状態を保存してください。保存したファイルは「履歴」から選んで元に戻すことができます。ネットワークに接続していない場合でも、
編集した内容は端末に残り、次に接続したときに自動的に送信されます。エラーが表示されたときは、しばらく待ってからもう一度お試しください。

この関数が二回呼ばれる理由を教えてもらえますか。ログを見ると、ボタンを一度押しただけなのに、同じリクエストが続けて送られているようです。イベントの登録が
重複しているのではないかと思うのですが、どこを確認すればよいでしょうか。できれば修正の例も見せてください。

祖母の家には古い時計があった。針はいつも五分ほど進んでいて、家族はみんなそれを知っていたから、誰も直そうとはしなかった。今でもあの音を思い出すと、
夏休みの長い午後がよみがえってくる。`;

const code = `export async function loadUsers(client: ApiClient, ids: readonly string[]): Promise<Map<string, User>> {
  const found = new Map<string, User>();
  for (const chunk of inChunks(ids, 100)) {
    const response = await client.get<User[]>('/users', { query: { id: chunk.join(',') } });
    if (!response.ok) throw new HttpError(response.status, \`could not load \${chunk.length} users\`);
    for (const user of response.body) found.set(user.id, user);
  }
  return found;
}

def moving_average(values: list[float], window: int = 5) -> list[float]:
    """Average of the last \`window\` values, shorter at the start."""
    total, result = 0.0, []
    for index, value in enumerate(values):
        total += value
        if index >= window:
            total -= values[index - window]
        result.append(total / min(index + 1, window))
    return result

SELECT c.name, COUNT(o.id) AS orders, SUM(o.total) AS revenue
FROM customers AS c LEFT JOIN orders AS o ON o.customer_id = c.id
WHERE o.created_at >= '2025-01-01' GROUP BY c.name HAVING SUM(o.total) > 1000 ORDER BY revenue DESC;

static int read_header(FILE *file, struct header *out) {
    uint8_t raw[16];
    if (fread(raw, 1, sizeof raw, file) != sizeof raw) return -1;
    if (memcmp(raw, "BMAP", 4) != 0) return -2;
    out->version = raw[4];
    out->length = (uint32_t)raw[8] | (uint32_t)raw[9] << 8 | (uint32_t)raw[10] << 16 | (uint32_t)raw[11] << 24;
    return 0;
}

impl<T: Clone> Stack<T> {
    pub fn pop_many(&mut self, count: usize) -> Vec<T> {
        let start = self.items.len().saturating_sub(count);
        self.items.split_off(start)
    }
}

for file in "$HOME"/reports/*.csv; do
  name=$(basename "$file" .csv)
  sort -t, -k2 -n "$file" | head -n 20 > "/tmp/top-$name.csv" || exit 1
done`;

const rows = Array.from({ length: 40 }, (_, at) => ({
  id: 1040 + at * 17,
  name: ['harbour', 'orchard', 'lantern', 'meadow'][at % 4],
  active: at % 3 === 0,
  score: (at * 37) % 100,
  tags: at % 2 === 0 ? ['new', 'checked'] : [],
  owner: { email: `user${at}@example.org`, since: `2025-0${1 + (at % 9)}-1${at % 10}` },
}));

/** Bytes that look random and are the same each time. */
const noise = Buffer.concat(Array.from({ length: 60 }, (_, at) => createHash('sha256').update(`noise ${at}`).digest()));

export const corpus = {
  English: english,
  code,
  Russian: russian,
  Chinese: chinese,
  Japanese: japanese,
  JSON: JSON.stringify(rows, null, 2),
  'JSON in one line': JSON.stringify(rows),
  base64: noise.toString('base64'),
  hex: noise.toString('hex'),
} as const;
