// The stock of words that the data of the benchmarks is made of: English, Russian, Chinese and Japanese prose, and code.

export const english =
  `the a of to in is it that and for with on as this be are or from by an not you can we use if will have which when there all more
  message parser memory window branch commit index cache query block layout frame worker schema adapter retry budget context snapshot
  pointer boundary append vector token stream socket thread process kernel buffer file folder path name value number text line page word
  record table column key lock queue event handler signal error failure reason result answer question example problem solution change
  release version build test check measure count size limit range offset start end first last next previous other same new old small large
  fast slow simple common likely always never often only also still already again later before after between under over into about because
  while until where how what why should could would must may need want make take give find keep show read write move copy send receive
  open close begin finish wait follow return call create remove update replace compare explain describe consider assume note remember`.split(
    /\s+/,
  );

export const russian =
  `и в не на что это как для по из с к у за от до или если то же бы мы вы они он она его их так при можно нужно есть был быть только уже ещё
  сообщение ветка память окно строка файл папка запись таблица ключ значение число текст слово страница очередь событие ошибка причина
  ответ вопрос пример задача решение изменение версия проверка размер предел начало конец первый последний следующий новый старый большой
  малый быстрый простой обычно всегда никогда часто снова позже между потому когда где почему должен может хочет делает берёт даёт находит
  хранит показывает читает пишет двигает копирует посылает открывает закрывает ждёт возвращает создаёт удаляет сравнивает объясняет`.split(
    /\s+/,
  );

export const chinese =
  `我们 可以 使用 这个 方法 来 处理 文件 系统 中的 消息 如果 需要 更多 内存 那么 应该 首先 检查 缓存 的 大小 然后 再 决定 是否 保留 数据 每个 分支
  都有 自己的 上下文 因此 读取 速度 很快 但是 写入 时 必须 保证 安全 请 注意 错误 信息 和 返回 结果 之间 的 关系 最后 更新 索引 并 关闭 连接 问题 的
  原因 通常 是 网络 延迟 或者 配置 不 正确 例如 用户 输入 了 很长 的 文本 程序 会 自动 分段 显示`.split(/\s+/);

export const japanese =
  `この メッセージ は 新しい 枝 を 作り ます まず ファイル を 開いて 内容 を 確認 して ください 次に メモリ の 使用 量 を 調べる 必要 が あります
  もし エラー が 出た 場合 は 設定 を 見直す と よい でしょう データベース の 索引 が あれば 検索 は 速く なります 例えば 長い 文章 を 送る とき
  自動的に 分割 されます ので 心配 は いりません 結果 は すぐに 画面 に 表示 され 保存 も 同時 に 行われます`.split(/\s+/);

export const names =
  'parse message branch cursor render stream commit window cache reader writer tree node path token limit queue worker schema entry'.split(
    ' ',
  );

export const titleWords =
  'Notes on Plan for Ideas about Debugging Comparing Reading Writing Testing Measuring Refactoring the a parser index window tree cache report letter recipe trip garden budget query schema'.split(
    ' ',
  );
