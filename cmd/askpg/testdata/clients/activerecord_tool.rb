# ActiveRecord over ruby-pg, with and without prepared statements.
#
#     activerecord_tool.rb ASKPG_PORT SERVER_PORT
require "active_record"
require "pg"

askpg, server = ARGV
count, names, wrong = "how many customers in Germany", "customers in Germany", "how many florps"
both = "id and name of customers in"
$sql = "SELECT count(*) FROM customers WHERE country = 'Germany'"
$failed = false

def check(name, got, want)
  return puts("ok #{name}") if got == want
  $failed = true
  puts "FAILED #{name}: #{got.inspect[0, 500]}, want #{want.inspect[0, 500]}"
end

def through(port, prepared = true)
  ActiveRecord::Base.establish_connection(adapter: "postgresql", host: "127.0.0.1", port: port, username: "analyst", database: "shop", prepared_statements: prepared,
                                          min_messages: "notice") # by default it hides them
  ActiveRecord::Base.connection
end

class Customer < ActiveRecord::Base
end

def value(text)
  [ActiveRecord::Relation::QueryAttribute.new("value", text, ActiveRecord::Type::String.new)]
end

puts "# ActiveRecord #{ActiveRecord.version} pg #{PG::VERSION}"
direct = through(server)
want = direct.select_rows($sql)
people = direct.select_rows("SELECT id, name FROM customers WHERE country = 'Germany' ORDER BY 1")
paged = direct.select_values("SELECT name FROM customers WHERE country = 'Germany' ORDER BY 1 LIMIT 2 OFFSET 1")
[true, false].each do |prepared|
  c = through(askpg, prepared)
  said = []
  c.raw_connection.set_notice_processor { |text| said << text } # else they go to standard error
  ["-- ask: #{count}", "/* ask: #{count} */", "ASK '#{count}'", "SELECT * FROM ask('#{count}') AS r"].each do |form|
    check("select_all, #{form}", c.select_all(form).rows, want)
    check("execute, #{form}", c.execute(form).values, want)
    check("prepared, #{form}", c.exec_query(form, "SQL", [], prepare: true).rows, want)
  end
  [true, false].each do |prepare|
    check("value", c.exec_query("-- ask: how many customers in $1", "SQL", value("Germany"), prepare: prepare).rows, want)
    check("question bound", c.exec_query("SELECT * FROM ask($1) AS r", "SQL", value(count), prepare: prepare).rows, want)
  end
  ["-- ask: #{both} Germany", ["-- ask: #{both} ?", "Germany"], ["SELECT * FROM ask(?) AS r", "#{both} Germany"]].each do |form|
    check("find_by_sql, #{form}", Customer.find_by_sql(form).map { |x| [x.id, x.name] }.sort, people)
  end
  ["ask('#{both} Germany') AS customers", "(-- ask: #{both} Germany\n) AS customers"].each do |form|
    check("from, paged", Customer.from(form).order(:name).limit(2).offset(1).pluck(:name), paged)
    check("from, counted", Customer.from(form).count, people.size)
    check("annotated", Customer.from(form).annotate("user:7").limit(1).to_a.size, 1)
  end
  check("its SQL", c.select_value("SELECT sql FROM ask('#{count}', 'sql') AS r"), $sql)
  check("NOTICE", said.join.match?(/Germany.*confidence/m), true)
  ActiveRecord::Base.transaction do
    begin
      c.execute("-- ask: #{wrong}")
    rescue ActiveRecord::StatementInvalid => e
      check("error", e.message.match?(/florps.*HINT/m), true)
      check("its code", e.cause.result.error_field(PG::PG_DIAG_SQLSTATE), "ASK01")
    end
    check("the transaction goes on", c.select_value("SELECT 1"), 1)
    c.execute("DECLARE c CURSOR FOR -- ask: #{names}")
    check("cursor", c.execute("FETCH ALL FROM c").ntuples, people.size)
  end
end
exit !$failed
