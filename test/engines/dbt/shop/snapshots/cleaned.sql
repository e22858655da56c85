{% snapshot cleaned %}
{{ config(unique_key='customer_id', strategy='check', check_cols='all') }}
select customer_id, upper(trim(segment)) as segment, points from {{ ref('customers') }} where points > 0
{% endsnapshot %}
