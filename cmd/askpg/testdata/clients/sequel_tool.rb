# Sequel over ruby-pg.
#
#     sequel_tool.rb ASKPG_PORT SERVER_PORT
require "sequel"

askpg, server = ARGV
count, names, wrong = "how many customers in Germany", "customers in Germany", "how many florps"
sql = "SELECT count(*) FROM customers WHERE country = 'Germany'"
$failed, $said = false, []

def check(name, got, want)
  return puts("ok #{name}") if got == want
  $failed = true
  puts "FAILED #{name}: #{got.inspect[0, 500]}, want #{want.inspect[0, 500]}"
end

def refused
  yield
  []
rescue Sequel::DatabaseError => e
  result = e.wrapped_exception.result
  [result.error_field(PG::PG_DIAG_SQLSTATE), e.message.include?("florps"), result.error_field(PG::PG_DIAG_MESSAGE_HINT).to_s.empty?]
end

def through(port)
  Sequel.connect("postgres://analyst@127.0.0.1:#{port}/shop", client_min_messages: :notice, notice_receiver: proc { |r| $said << r.error_message })
end

puts "# Sequel #{Sequel.version}"
direct, db = through(server), through(askpg)
want = direct[sql].single_value
people = direct["SELECT name FROM customers WHERE country = 'Germany' ORDER BY 1"].select_map(:name)
both = direct["SELECT count(*) FROM customers WHERE country IN ('Germany', 'France')"].single_value
asked = Sequel.function(:ask, names).as(:r)
["-- ask: #{count}", "/* ask: #{count} */", "ASK '#{count}'", "SELECT * FROM ask('#{count}') AS r"].each do |form|
  check "fetch, #{form}", db.fetch(form).all, [{ count: want }]
end
check "NOTICE", $said.join.include?("confidence"), true
["-- ask: how many customers in", "ASK how many customers in"].each do |start|
  check "value, #{start}", db.fetch("#{start} ?", "Germany").single_value, want
  check "named value, #{start}", db.fetch("#{start} :c", c: "Germany").single_value, want
  check "list, #{start}", db.fetch("#{start} ?", %w[Germany France]).single_value, both
end
check "question bound", db["SELECT * FROM ask(?) AS r", count].single_value, want
check "from, paged", db.from(asked).order(:name).limit(2, 1).select_map(:name), people[1, 2]
check "block comment, counted", db["/* ask: #{names} */"].count, want
check "line comment, counted", (begin db["-- ask: #{names}"].count rescue $!.message end).to_s.include?("/* ask: … */"), true
check "cursor", db["-- ask: #{names}"].use_cursor(rows_per_fetch: 100).map { |r| r[:name] }.sort, people.sort
check "pages", db.from(asked).order(:name).enum_for(:paged_each, rows_per_fetch: 100).map { |r| r[:name] }, people
one = db["SELECT * FROM ask(?) AS r", :$q].prepare(:select, :one)
check "one prepared statement", [count, "customers in region North", count].map { |q| one.call(q: q).size }, [1, direct["SELECT 1 FROM customers WHERE region = 'North'"].count, 1]
check "COPY", db.copy_table(db["SELECT * FROM ask('#{count}') AS r"]), "#{want}\n"
check "its SQL", db["SELECT sql FROM ask(?, 'sql') AS r", count].single_value, sql
check "error", refused { db["ASK #{wrong}"].all }, ["ASK01", true, false]
check "the transaction goes on", db.transaction { refused { db["ASK #{wrong}"].all }; db["ASK #{count}"].single_value }, want
exit($failed ? 1 : 0)
